import type { Json } from '@utensil/core';
import { cleanLine, wholeStart } from './clean.ts';
import { plainWords } from './html/words.ts';

/** An opened page, as stored in the thread. */
export interface Opened {
  /** Final URL, after redirects. */
  readonly url: string;
  readonly host: string;
  /** Requested URL, if it was redirected. */
  readonly requested?: string;
  readonly title?: string;
  readonly notes: readonly string[];
  /** The requested part. */
  readonly text: string;
}

/** Text for a request that the network or the host's `fetch` refused. */
export function refusedText(why: string): string {
  return `Failed to fetch URL: ${why}`;
}

/** One-line status. */
export function statusOf(output: Json): string {
  const opened = openedIn(output);
  return opened === undefined ? cleanLine(String(output)) : `Successfully fetched content from ${opened.host}`;
}

/** Page as shown to the model. */
export function pageText(opened: Opened): string {
  return `${headText(opened)}\n\n${opened.text}`;
}

/** Maximum characters of a page shown to people. */
const shown = 4_000;

/** Page as shown to people. */
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
