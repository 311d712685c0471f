import { isObject } from '@utensil/core';
import type { Json } from '@utensil/core';
import { outcomeOf } from '../view/call-view.ts';
import type { CallResult } from '../view/call-view.ts';
import { readable } from '../value/beginning.ts';
import type { Texts } from '../texts/texts.ts';

/** Maximum characters of a result to inspect. */
const looked = 4_000;
/** Maximum characters of a summary. */
const longest = 160;

/** One-line summary of a result: its tool's status, else its first meaningful line, or abbreviated JSON. */
export function summaryOf(
  result: Pick<CallResult, 'status' | 'output' | 'isError' | 'code'>,
  texts: Texts['call'],
): string {
  const { status, output } = result;
  const outcome = outcomeOf(result);
  if (outcome === 'interrupted') return texts.mayHaveRun;
  if (outcome === 'declined' || outcome === 'cancelled') return ''; // the text is for the model
  const own = status === undefined ? '' : textSummary(status, texts);
  if (says(own)) return own;
  const found = typeof output === 'string' ? textSummary(output, texts) : valueSummary(output, texts);
  return says(found) ? found : own || found;
}

/** True if a line contains more than punctuation. */
export function says(line: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(line.replaceAll(/[`^~|<>+=$]/g, ''));
}

function textSummary(text: string, texts: Texts['call']): string {
  const head = readable(text.slice(0, looked));
  const value = text.length > looked ? undefined : parsed(head);
  const short = value === undefined ? '' : valueSummary(value, texts);
  if (says(short)) return short;
  const lines = head.split('\n');
  return cut(lines.find(says) ?? lines.find((line) => line.trim() !== '') ?? '');
}

/** Parses a JSON object or array; undefined for other text. */
function parsed(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Abbreviated value: the members of an object, or the length of a list. */
function valueSummary(value: Json, texts: Texts['call']): string {
  if (value === null) return '';
  if (Array.isArray(value))
    return cut(
      value.every(isPlain) ? value.map((each) => memberText(each, texts)).join(', ') : texts.items(value.length),
    );
  if (!isObject(value)) return cut(String(value));
  const members = Object.entries(value).slice(0, 20);
  return cut(members.map(([name, member]) => `${name}: ${memberText(member, texts)}`).join(', '));
}

function isPlain(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}

function memberText(value: Json, texts: Texts['call']): string {
  if (Array.isArray(value)) return texts.items(value.length);
  return isObject(value) ? '{…}' : String(value).slice(0, longest);
}

/** Truncates a text to one line. */
function cut(text: string): string {
  const line = text
    .slice(0, 4 * longest)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= longest ? line : `${characters.slice(0, longest - 1).join('')}…`;
}
