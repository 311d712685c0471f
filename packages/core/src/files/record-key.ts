import { encoder } from '../base/text-encoding.ts';
import { UtensilError } from '../base/errors.ts';

/**
 * Identifies a record by a sequence of ids, such as `['threads', id]`. An id is any text, including slashes, dots and
 * capitals.
 */
export type RecordKey = readonly string[];

/**
 * Length at which an id continues in a subdirectory. Keeps every name, suffixes included, within the limit of disks.
 */
const chunks = /.{1,200}/g;

/** An id that needs no encoding, like nearly all, and no second directory. */
const plainId = /^[a-z0-9_-]{1,200}$/;

/**
 * Directory of the records below a key, in the tree `records`. Distinct keys have distinct directories, even on disks
 * that ignore case: an id keeps its lowercase letters, digits, `-` and `_`; all other bytes are percent-encoded.
 */
export function recordDirectory(key: RecordKey): string {
  return `/${key.map(encodeId).join('/')}`;
}

/** Maximum number of a record in a log. */
export const maxNumber = 999_999_999_999;

/** Id of a record in a log: its zero-padded number, so that ids sort numerically. */
export function numberId(number: number): string {
  if (!Number.isSafeInteger(number) || number < 0 || number > maxNumber) {
    const hint = `The number of a record in a log is a whole number up to ${maxNumber}, not ${number}.`;
    throw new UtensilError('EINVAL', `EINVAL: invalid argument. ${hint}`);
  }
  return String(number).padStart(12, '0');
}

/**
 * Key of a record in a log, by its number, from 1.
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

/** Number of a record in its log; undefined for a record outside of a log. */
export function logNumber(key: RecordKey): number | undefined {
  const id = key.at(-1) ?? '';
  return /^\d{12}$/.test(id) ? Number(id) : undefined;
}

/** File of a record. An encoded id contains no dot, so the name is never taken by another key. */
export function recordFile(key: RecordKey): string {
  if (key.length === 0) throw new UtensilError('EINVAL', 'EINVAL: invalid argument. The key of a record needs an id.');
  return recordDirectory(key) + suffix;
}

const suffix = '.json';

/** Key of a record's file; undefined for any other file, including a record that was set aside, and a copy. */
export function recordKeyOf(path: string): RecordKey | undefined {
  try {
    const key = path.slice(1, -suffix.length).replaceAll('+/', '').split('/').map(decodeId);
    return recordFile(key) === path ? key : undefined;
  } catch {
    return undefined; // not encoded by us
  }
}

/** True if a directory holds the rest of a long id, not the records below a key. */
export function isContinued(path: string): boolean {
  return path.endsWith('+');
}

function encodeId(id: string): string {
  if (plainId.test(id)) return id;
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
