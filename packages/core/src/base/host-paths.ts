import { isUtensilError, messageOf } from './errors.ts';
import { isObject } from './json.ts';

// Foreign errors name paths of the host, which a model must not see. A path of the virtual project looks like a Unix path,
// so a path is masked only if there is evidence that it is the host's: its form (a drive, a share, `file:`), its root, the
// message of a system call, or the error's own stack, which shows the directories of the program.

/**
 * The message of anything that was thrown, for a model: that of a foreign error without stack lines and paths of the host,
 * and at most its first 100,000 characters. Paths in `known`, a text that the model wrote itself, stay.
 *
 * @example
 * ```ts
 * import { messageForModel } from '@utensil/core';
 *
 * messageForModel(new Error("ENOENT: no such file or directory, open '/srv/app/.env'"));
 * // ENOENT: no such file or directory, open '[path]'
 * ```
 */
export function messageForModel(thrown: unknown, known = ''): string {
  const message = messageOf(thrown);
  if (isUtensilError(thrown)) return message;
  const shown = message.slice(0, longestMessage); // first: to scan a message takes time in proportion to its length
  const { stack, path, dest } = detailsOf(thrown);
  const roots = new Set([...programRoots(), ...rootsIn(stack)]);
  const isHost = (found: string): boolean => systemRoot.test(found) || roots.has(rootOf(found)) || telltale.test(found);
  const mask = (found: string): string => {
    const [end = ''] = /(?<![.,;:!?])[.,;:!?]*$/.exec(found) ?? []; // looked for once in each run of dots
    const inside = found.slice(0, found.length - end.length);
    return known !== '' && known.includes(inside) ? found : `[path]${end}`;
  };
  const maskIfHost = (found: string): string => (isHost(found) ? mask(found) : found);
  return [path, dest]
    .filter((each) => each !== undefined && isAbsolute(each))
    .reduce<string>((text, each) => text.replaceAll(String(each), mask), shown.replace(stackLine, ''))
    .replace(systemCall, (whole: string) => whole.replace(quotedPath, mask))
    .replace(foreignPath, mask)
    .replace(quotedPath, maskIfHost)
    .replace(plainPath, maskIfHost);
}

/** In characters, of a foreign error. */
const longestMessage = 100_000;

const stackLine = /\n[ \t]+at .*/g;

/** `file:` URLs, Windows paths (one with spaces goes on if a backslash follows), and shares: no project has such. */
const foreignPath =
  /\bfile:\/{1,3}[^\s'"`)\]]*|(?<![A-Za-z0-9])[A-Za-z]:[\\/](?!\/)(?:[^\s'"`)\]]| (?=[^\s'"`]*\\))*|\\\\[\w.?-]+\\[^\s'"`)\]]*/g;

/** A path between quotes, which may have spaces. */
const quotedPath = /(?<=(['"`]))\/[^'"`\n]*(?=\1)/g;

/** A path that stands by itself: not part of an address or a word. One with spaces goes on if a slash follows. */
const plainPath = /(?<![\w/.\\~%@])\/[^\s'"`)\]/:,;=|]+(?:[^\s'"`)\]:,;=|]|[:,;=|](?!\/)| (?=[^\s'"`/]+\/))*/g;

/** The message of a failed system call, as Node.js writes it: its paths are the host's, wherever they lie. */
const systemCall = /\bE[A-Z0-9]{2,15}: [^\n'"`]{0,200}, \w+ '[^'\n]*'(?: -> '[^'\n]*')?/g;

const systemRoot =
  /^\/(?:home|Users|root|usr|var|opt|tmp|private|etc|mnt|srv|proc|nix|snap|Volumes|Library|Applications|workspaces|cygdrive|sdcard|run\/(?:user|secrets|lock)|data\/(?:data|user)|storage\/emulated)(?:\/|$)/;

/** Parts that no path of a project has: installed packages, and a line and column. */
const telltale = /\/node_modules\/|:\d+:\d+\W?$/;

function isAbsolute(path: string): boolean {
  return /^(?:\/[^/]|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

function rootOf(path: string): string {
  return /^\/[^/\s'"`:)]+/.exec(path)?.[0] ?? '';
}

/** The first directories of the places in a stack: `at run (/app/tools.js:1:2)`, `at file:///app/tools.js:1:2`. */
function rootsIn(stack: string): readonly string[] {
  const places = stack
    .slice(-longestStack)
    .matchAll(/(?:\(|at (?:async )?|@)(?:file:\/\/)?(\/[^/\s:()]+)\/[^\s()]{0,1000}:\d+:\d+/g);
  return [...places].map(([, root]) => root ?? '');
}

/** In characters: the frames stand at its end, behind a message of any length. */
const longestStack = 8_000;

let rootsHere: readonly string[] | undefined;

/** The root directories of this program. */
function programRoots(): readonly string[] {
  return (rootsHere ??= rootsIn(new Error('Where am I?').stack ?? ''));
}

interface Details {
  readonly stack: string;
  readonly path: string | undefined;
  readonly dest: string | undefined;
}

/** The stack and the paths of an error, whose getters may throw. */
function detailsOf(thrown: unknown): Details {
  try {
    if (!isObject(thrown)) return nothing;
    const { stack, path, dest } = thrown as Record<'stack' | 'path' | 'dest', unknown>;
    const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
    return { stack: text(stack) ?? '', path: text(path), dest: text(dest) };
  } catch {
    return nothing;
  }
}

const nothing: Details = { stack: '', path: undefined, dest: undefined };
