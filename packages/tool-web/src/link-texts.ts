import type { Json } from '@utensil/core';
import { cleanLine, wholeStart } from './clean.ts';
import { plainWords } from './html/words.ts';

/** What was opened, as it is kept in the thread. */
export interface Opened {
  /** Where it is, after redirects. */
  readonly url: string;
  readonly host: string;
  /** What was asked for, where that was redirected. */
  readonly requested?: string;
  readonly title?: string;
  readonly notes: readonly string[];
  /** The part that was asked for. */
  readonly text: string;
}

/** What is said where the network, or the host's `fetch`, refused. */
export function refusedText(why: string): string {
  return `Failed to fetch URL: ${why}`;
}

/** One line on how it went. */
export function statusOf(output: Json): string {
  const opened = openedIn(output);
  return opened === undefined ? cleanLine(String(output)) : `Successfully fetched content from ${opened.host}`;
}

/** What the model sees of a page. */
export function pageText(opened: Opened): string {
  return `${headText(opened)}\n\n${opened.text}`;
}

/** In characters: how much of a page a person sees. */
const shown = 4_000;

/** What a person sees of a page. */
export function shownPage(output: Json): string {
  const opened = openedIn(output);
  if (opened === undefined) return String(output);
  const { text } = opened;
  return `${headText(opened)}\n\n${text.length > shown ? `${wholeStart(text, shown)}...content truncated` : text}`;
}

function headText(opened: Opened): string {
  const { url, requested, title, notes } = opened;
  const from = requested === undefined ? '' : ` (redirected from ${requested})`;
  const lines = [`Address: ${url}${from}`, ...(title === undefined ? [] : [`Title: ${plainWords(title, ' ')}`])];
  return [statusOf(opened as unknown as Json), ...lines, ...notes.map((note) => `[${note}]`)].join('\n');
}

function openedIn(output: Json): Opened | undefined {
  const isOpened = typeof output === 'object' && output !== null && 'host' in output;
  return isOpened ? (output as unknown as Opened) : undefined;
}
