import { UtensilError } from '../base/errors.ts';

/** Names a record by a sequence of ids, such as `['threads', id]`. An id is any text: slashes, dots and capitals too. */
export type RecordKey = readonly string[];

/** A longer id goes on in a directory below; with its suffixes, no name is longer than a disk takes. */
const chunks = /.{1,200}/g;

const encoder = /* @__PURE__ */ new TextEncoder();

/**
 * The directory of what is below a key, in the tree `records`. No two keys share one, not even where a disk ignores
 * case: an id keeps its small letters, digits, `-` and `_`; all else is written as percent and the byte in hexadecimal.
 */
export function recordDirectory(key: RecordKey): string {
  return `/${key.map(encodeId).join('/')}`;
}

/** The largest number that a record of a log can have. */
export const maxNumber = 999_999_999_999;

/** The id of a record in a log: its number, with zeros before it, so that the order of ids is that of numbers. */
export function numberId(number: number): string {
  if (!Number.isSafeInteger(number) || number < 0 || number > maxNumber) {
    const hint = `The number of a record in a log is a whole number up to ${maxNumber}, not ${number}.`;
    throw new UtensilError('EINVAL', `EINVAL: invalid argument. ${hint}`);
  }
  return String(number).padStart(12, '0');
}

/**
 * The key of a record in a log, by its number from 1.
 *
 * @example
 * ```ts
 * import { createRecords } from '@utensil/core';
 * import { logKey, logNumber } from '@utensil/core/storage';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const records = createRecords(memoryStorage());
 * const number = await records.append(['log'], 'first'); // 1
 * const record = await records.get(logKey(['log'], number));
 * console.log(record?.value, logNumber(record?.key ?? [])); // first 1
 * ```
 */
export function logKey(log: RecordKey, number: number): RecordKey {
  return [...log, numberId(number)];
}

/** The number of a record in its log; undefined for a record that is in none. */
export function logNumber(key: RecordKey): number | undefined {
  const id = key.at(-1) ?? '';
  return /^\d{12}$/.test(id) ? Number(id) : undefined;
}

/** The file of a record. An encoded id has no dot, so the file is in nobody's way. */
export function recordFile(key: RecordKey): string {
  if (key.length === 0) throw new UtensilError('EINVAL', 'EINVAL: invalid argument. The key of a record needs an id.');
  return recordDirectory(key) + suffix;
}

const suffix = '.json';

/** The key of a record's file; undefined for anything else, a record that was set aside too. */
export function recordKeyOf(path: string): RecordKey | undefined {
  if (!path.endsWith(suffix)) return undefined;
  const whole = path.slice(1, -suffix.length).replaceAll('+/', '');
  return whole.includes('.') ? undefined : whole.split('/').map(decodeId);
}

/** True if a directory holds the rest of long ids, rather than what is below a key. */
export function isContinued(path: string): boolean {
  return path.endsWith('+');
}

function encodeId(id: string): string {
  if (/\p{Cs}/u.test(id)) {
    throw new UtensilError(
      'EILSEQ',
      'EILSEQ: not valid Unicode text. The id of a record contains half of a surrogate pair.',
    );
  }
  const characters = Array.from(encoder.encode(id), (byte) => {
    const character = String.fromCharCode(byte);
    return /[a-z0-9_-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  });
  const encoded = id === '' ? '%' : characters.join('');
  return (encoded.match(chunks) ?? []).join('+/');
}

function decodeId(encoded: string): string {
  return encoded === '%' ? '' : decodeURIComponent(encoded);
}
