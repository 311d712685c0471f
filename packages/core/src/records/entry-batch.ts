import { decodeText } from '../base/text-encoding.ts';
import { isObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';

/** Entries of a thread that share a record. In its file, each has a line of its own, so that damage to one leaves the others. */
export interface EntryBatch {
  readonly type: 'entries';
  readonly entries: readonly Json[];
}

/** True if a record has this form. */
export function isBatch(value: unknown): value is EntryBatch {
  if (!isObject(value) || value['type'] !== 'entries' || !Array.isArray(value['entries'])) return false;
  return value['entries'].length > 0;
}

const firstLine = '{"type":"entries","entries":[';
const end = ']}';

/** JSON of a record. Strings in JSON contain no line breaks, so only entries begin a line. */
export function recordText(value: Json): string {
  if (!isBatch(value) || Object.keys(value).length > 2) return JSON.stringify(value);
  const lines = Array.from(value.entries, (entry) => (JSON.stringify(entry) as string | undefined) ?? 'null');
  return `${firstLine}\n${lines.join(',\n')}${end}`;
}

/**
 * The entries of a damaged file that had `count` of them; undefined for each that is lost. Those before the damage are
 * counted from the beginning, and those behind it from the end, so that no more lines are read than there were entries.
 */
export function salvage(content: Uint8Array = new Uint8Array(), count = 1): readonly (Json | undefined)[] {
  const front: Json[] = [];
  const head = lineEnd(content, 0);
  let from = textOf(content.subarray(0, head)) === firstLine ? head + 1 : content.length;
  while (front.length < count && from < content.length) {
    const to = lineEnd(content, from);
    const entry = parsed(content.subarray(from, to));
    if (entry === undefined) break;
    front.push(entry);
    from = to + 1;
  }
  const back: Json[] = [];
  for (
    let to = content.at(-1) === lineBreak ? content.length - 1 : content.length;
    front.length + back.length < count;
  ) {
    const start = content.lastIndexOf(lineBreak, to - 1) + 1;
    const entry = start > from ? parsed(content.subarray(start, to)) : undefined; // the damaged line is at `from`
    if (entry === undefined) break;
    back.unshift(entry);
    to = start - 1;
  }
  const lost = count - front.length - back.length;
  return [...front, ...Array.from({ length: lost }, () => undefined), ...back];
}

const lineBreak = 0x0a;

/** A line without its end, which may be another system's; empty if it is not text. */
function textOf(line: Uint8Array): string {
  return decodeText(line)?.text.trimEnd() ?? '';
}

function lineEnd(content: Uint8Array, from: number): number {
  const found = content.indexOf(lineBreak, from);
  return found === -1 ? content.length : found;
}

/** The entry of a line; undefined if it is damaged. An entry begins its line: formatters indent those of other lists. */
function parsed(line: Uint8Array): Json | undefined {
  const text = textOf(line);
  if (!text.startsWith('{')) return undefined;
  return parse(text) ?? parse(text.replace(/(?:,|\]\})$/, '')); // the last line may have lost its end
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
