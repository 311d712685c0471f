import { isUtensilError, messageOf } from './errors.ts';
import { isObject } from './json.ts';

// Foreign errors contain paths of the host, which must not reach a model. Paths of the virtual project look like Unix
// paths, so a path is redacted only on evidence that it is the host's: its form (a drive, a share, `file:`), its root,
// the message of a system call, or the error's own stack, which shows the directories of the program.

/**
 * The message of a thrown value, for a model: for a foreign error, without stack lines and host paths, and at most
 * 100,000 characters long. Paths in `known`, a text that the model wrote itself, are kept.
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
  const shown = message.slice(0, longestMessage); // first, because the scan is linear in the length
  const { stack, paths } = detailsOf(thrown);
  const roots = new Set([...programRoots(), ...rootsIn(stack)]);
  const isHost = (found: string): boolean => systemRoot.test(found) || roots.has(rootOf(found)) || telltale.test(found);
  const mask = (found: string): string => {
    const [end = ''] = /(?<![.,;:!?])[.,;:!?]*$/.exec(found) ?? []; // only once per run of dots
    const inside = found.slice(0, found.length - end.length);
    return known !== '' && known.includes(inside) ? found : `[path]${end}`;
  };
  const maskIfHost = (found: string): string => (isHost(found) ? mask(found) : found);
  return paths
    .reduce((text, each) => text.replaceAll(each, mask), shown.replace(stackLine, ''))
    .replace(systemCall, (whole: string) => whole.replace(quotedPath, mask))
    .replace(foreignPath, mask)
    .replace(quotedPath, maskIfHost)
    .replace(plainPath, maskIfHost);
}

/** Maximum length of a foreign error's message, in characters. */
const longestMessage = 100_000;

const stackLine = /\n[ \t]+at .*/g;

/** `file:` URLs, Windows paths (with spaces if a backslash follows) and shares. No project contains such paths. */
const foreignPath =
  /\bfile:\/{1,3}[^\s'"`)\]]*|(?<![A-Za-z0-9])[A-Za-z]:[\\/](?!\/)(?:[^\s'"`)\]]| (?=[^\s'"`]*\\))*|\\\\[\w.?-]+\\[^\s'"`)\]]*/g;

/** A quoted path, which may contain spaces. */
const quotedPath = /(?<=(['"`]))\/[^'"`\n]*(?=\1)/g;

/** An unquoted path: not part of a URL or a word. It may contain spaces if a slash follows. */
const plainPath = /(?<![\w/.\\~%@])\/[^\s'"`)\]/:,;=|]+(?:[^\s'"`)\]:,;=|]|[:,;=|](?!\/)| (?=[^\s'"`/]+\/))*/g;

/** Messages of failed system calls in Node.js. Their paths are always the host's. */
const systemCall = /\bE[A-Z0-9]{2,15}: [^\n'"`]{0,200}, \w+ '[^'\n]*'(?: -> '[^'\n]*')?/g;

const systemRoot =
  /^\/(?:home|Users|root|usr|var|opt|tmp|private|etc|mnt|srv|proc|nix|snap|Volumes|Library|Applications|workspaces|cygdrive|sdcard|run\/(?:user|secrets|lock)|data\/(?:data|user)|storage\/emulated)(?:\/|$)/;

/** Segments that no project path has: installed packages, and line and column. */
const telltale = /\/node_modules\/|:\d+:\d+\W?$/;

function isAbsolute(path: unknown): path is string {
  return typeof path === 'string' && /^(?:\/[^/]|[A-Za-z]:[\\/]|\\\\)/.test(path);
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
  readonly paths: readonly string[];
}

/** The stack and the absolute paths of an error, whose getters may throw. */
function detailsOf(thrown: unknown): Details {
  try {
    if (!isObject(thrown)) return nothing;
    const { stack, path, dest } = thrown as Record<'stack' | 'path' | 'dest', unknown>;
    return { stack: typeof stack === 'string' ? stack : '', paths: [path, dest].filter(isAbsolute) };
  } catch {
    return nothing;
  }
}

const nothing: Details = { stack: '', paths: [] };
