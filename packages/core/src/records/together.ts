import { isObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';

/** Objects that share a record. In its file each has a line of its own, so that damage to one leaves the others. */
export interface Together {
  readonly type: 'entries';
  readonly entries: readonly Json[];
}

/** True if a record has this form. */
export function isTogether(value: unknown): value is Together {
  if (!isObject(value) || value['type'] !== 'entries' || !Array.isArray(value['entries'])) return false;
  return value['entries'].length > 0;
}

/** The JSON of a record. Strings in JSON contain no line breaks, so only the objects themselves begin a line. */
export function textOf(value: Json): string {
  if (!isTogether(value) || Object.keys(value).length > 2) return JSON.stringify(value);
  return `{"type":"entries","entries":[\n${value.entries.map((entry) => JSON.stringify(entry)).join(',\n')}]}`;
}

/** The objects of a damaged file, undefined for each that is lost. A file that ends early may have lost more. */
export function survivors(content?: Uint8Array): readonly (Json | undefined)[] {
  const [, ...lines] = new TextDecoder().decode(content).replace(/\n$/, '').split('\n');
  return lines.length === 0 ? [undefined] : lines.map(parsed);
}

/** The object of a line; undefined if it is damaged, perhaps so that it is not UTF-8 any more. */
function parsed(line: string): Json | undefined {
  try {
    return line.includes('\u{fffd}') ? undefined : (JSON.parse(line.replace(/(?:,|\]\})$/, '')) as Json);
  } catch {
    return undefined;
  }
}
