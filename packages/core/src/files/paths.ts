import { encoder } from '../base/text-encoding.ts';
import { UtensilError } from '../base/errors.ts';
import { quotePath } from './file-error.ts';

/** Limits: bytes of UTF-8 in a name and in a path, and number of levels. */
export const pathLimits = { nameBytes: 255, pathBytes: 1024, levels: 32 } as const;

/** Fast path: already normalized and well within every limit. */
const plain = /^(?:\/\w[\w.-]*){1,32}$/;

/** Control characters, line and paragraph separators, lone surrogates, bidi controls, backslashes. */
const forbidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\\]/u;

/**
 * Normalizes a path: absolute, in Unicode NFC, `.` and `..` resolved (`/..` is `/`), no empty segments, no trailing
 * slash. Throws `EINVAL` or `ENAMETOOLONG`.
 *
 * @example
 * ```ts
 * import { resolvePath } from '@utensil/core/files';
 *
 * console.log(resolvePath('/../notes//./todo.md')); // /notes/todo.md
 * ```
 */
export function resolvePath(path: string): string {
  if (path.length <= pathLimits.nameBytes && plain.test(path)) return path;
  refuseForm(path);
  const names: string[] = [];
  for (const name of path.normalize('NFC').split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  const resolved = `/${names.join('/')}`;
  refuseLength(resolved, names);
  return resolved;
}

function refuseForm(path: string): void {
  const invalid = (hint: string): UtensilError =>
    new UtensilError('EINVAL', `EINVAL: invalid path, ${quotePath(path)}. ${hint}`, { path });
  if (path === '') throw invalid("It is empty; the root is '/'.");
  const [found] = forbidden.exec(path) ?? [];
  if (found === '\\') throw invalid("Names are separated by '/', and no name contains a backslash.");
  if (found !== undefined) throw invalid(`It contains ${codePoint(found)}, which no name may.`);
  if (!path.startsWith('/')) throw invalid(`Paths are absolute: did you mean ${quotePath(`/${path}`)}?`);
}

function refuseLength(path: string, names: readonly string[]): void {
  const tooLong = (hint: string): UtensilError =>
    new UtensilError('ENAMETOOLONG', `ENAMETOOLONG: name too long, ${quotePath(path)}. ${hint}`, { path });
  const { nameBytes, pathBytes, levels } = pathLimits;
  if (names.some((name) => exceeds(name, nameBytes))) throw tooLong(`A name has at most ${nameBytes} bytes.`);
  if (exceeds(path, pathBytes)) throw tooLong(`A path has at most ${pathBytes} bytes.`);
  if (names.length > levels) throw tooLong(`A path has at most ${levels} levels.`);
}

function exceeds(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && encoder.encode(text).length > bytes;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** True if a name found on a real disk can be a segment of a normalized path. */
export function isAddressable(name: string): boolean {
  const isPlain = name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !forbidden.test(name);
  return isPlain && name.normalize('NFC') === name && !exceeds(name, pathLimits.nameBytes);
}

/** Parent directory of a normalized path; that of `/` is `/`. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 1));
}

/** Last segment of a normalized path; empty for `/`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Joins a directory and a name. */
export function joinPath(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

/** Parent directories of a normalized path, outermost first, without the root. */
export function ancestorsOf(path: string): readonly string[] {
  const ancestors: string[] = [];
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) ancestors.push(path.slice(0, end));
  return ancestors;
}

/** True if a normalized path is this directory or below it. */
export function isWithin(directory: string, path: string): boolean {
  return directory === '/' || path === directory || path.startsWith(`${directory}/`);
}

/** Sort order of listings: segment by segment in code units, so that the contents of a directory follow it directly. */
export function comparePaths(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (a !== b) return a === slash ? -1 : b === slash ? 1 : a - b;
  }
  return left.length - right.length;
}

const slash = 0x2f;

/** Case-folded form, equal for names that differ only in case. */
export function foldCase(name: string): string {
  if (!beyondAscii.test(name)) return name.toLowerCase();
  return Array.from(name, foldCharacter).join('').normalize('NFC');
}

const beyondAscii = /[^\p{ASCII}]/u;

/**
 * Folds through the uppercase letter, because several lowercase letters can share one (σ and ς), unless it has two
 * letters (ß, SS). No disk treats dotless ı as the lowercase of I.
 */
function foldCharacter(character: string): string {
  const capital = character.toUpperCase();
  return (capital.length === character.length && character !== 'ı' ? capital : character).toLowerCase();
}
