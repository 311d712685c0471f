import { UtensilError } from '../base/errors.ts';
import { quotePath } from './file-error.ts';

/** A name may have this many bytes of UTF-8, a path that many, and so many levels. */
export const pathLimits = { nameBytes: 255, pathBytes: 1024, levels: 32 } as const;

const encoder = /* @__PURE__ */ new TextEncoder();

/** What most paths are: normal already, and far from any limit. */
const plain = /^(?:\/\w[\w.-]*){1,32}$/;

/** Control characters, line and paragraph separators, lone surrogates, what turns the direction of text, backslashes. */
const forbidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\\]/u;

/**
 * The one form of a path that everything else uses: absolute, in Unicode NFC, `.` and `..` resolved (`/..` is `/`), no
 * empty names, no slash at the end. Throws `EINVAL` or `ENAMETOOLONG`.
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

/** True if a name, as it may stand on a real disk, can be part of a normal path. */
export function isAddressable(name: string): boolean {
  const isPlain = name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !forbidden.test(name);
  return isPlain && name.normalize('NFC') === name && !exceeds(name, pathLimits.nameBytes);
}

/** The directory that a normal path is in; that of `/` is `/`. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 1));
}

/** The last name of a normal path; empty for `/`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path of a name in a directory. */
export function joinPath(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

/** The directories above a normal path, outermost first, without the root. */
export function ancestorsOf(path: string): readonly string[] {
  const ancestors: string[] = [];
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) ancestors.push(path.slice(0, end));
  return ancestors;
}

/** True if a normal path is this directory or below it. */
export function isWithin(directory: string, path: string): boolean {
  return directory === '/' || path === directory || path.startsWith(`${directory}/`);
}

/** The order of listings: name by name in code units, so that what is in a directory follows it directly. */
export function comparePaths(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (a !== b) return a === slash ? -1 : b === slash ? 1 : a - b;
  }
  return left.length - right.length;
}

const slash = 0x2f;

/** What names that differ only in case have in common. */
export function foldCase(name: string): string {
  if (!beyondAscii.test(name)) return name.toLowerCase();
  return Array.from(name, foldCharacter).join('').normalize('NFC');
}

const beyondAscii = /[^\p{ASCII}]/u;

/**
 * By way of the capital, because several small letters can share one (σ and ς); unless that is two letters (ß, SS).
 * The dotless ı is not the small letter of I to any disk.
 */
function foldCharacter(character: string): string {
  const capital = character.toUpperCase();
  return (capital.length === character.length && character !== 'ı' ? capital : character).toLowerCase();
}
