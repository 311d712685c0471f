import type { Node } from './pattern/syntax.ts';

/** One line of a `.gitignore`. */
export interface IgnorePattern {
  /** True if it re-includes files that an earlier pattern excludes. */
  readonly isNegated: boolean;
  readonly isForDirectories: boolean;
  /** True if it matches a name at any depth. */
  readonly isName: boolean;
  /** Names of a path, relative to the directory of the file. */
  readonly names: readonly IgnoreName[];
  /** In characters. */
  readonly length: number;
}

/** The text of a name or, if it has wildcards, their syntax nodes. */
export type IgnoreName = string | readonly Node[];

/** Meaning of `**`: any number of names. */
export const anyNames: IgnoreName = [];

/** In characters; a longer pattern is ignored. */
const longest = 1_024;

/** A line of a `.gitignore`, read as git does with case. Undefined for blank lines, comments and malformed patterns. */
export function toIgnorePattern(line: string): IgnorePattern | undefined {
  const trimmed = withoutBlanks(line.replace(/\r$/, '').normalize('NFC'));
  if (trimmed === '' || trimmed.startsWith('#') || trimmed.length > longest) return undefined;
  const isNegated = trimmed.startsWith('!');
  const whole = isNegated ? trimmed.slice(1) : trimmed;
  const isForDirectories = whole.endsWith('/');
  const pattern = isForDirectories ? whole.slice(0, -1) : whole;
  if (/(?:^|\/)\.{1,2}(?:\/|$)|\/\/|\/$|\\\/|^\/?$/.test(pattern)) return undefined; // matches no path
  const names = pattern.replace(/^\//, '').split('/').map(toName);
  if (names.includes(undefined)) return undefined;
  const isName = !pattern.includes('/');
  return { isNegated, isForDirectories, isName, names: names as readonly IgnoreName[], length: pattern.length };
}

/** Removes trailing blanks, except one after a backslash. */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' && !isEscaped(line, end - 1)) end--;
  return line.slice(0, end);
}

function isEscaped(line: string, index: number): boolean {
  let start = index;
  while (line[start - 1] === '\\') start--;
  return (index - start) % 2 === 1;
}

/** A character of a pattern, escaped or not, or a class of characters. */
const part = /\[[!^]?\]?[^\]]*\]|\\?./gsu;

const notSlash: Node = { type: 'set', has: (character) => character !== '/' };

function toName(name: string): IgnoreName | undefined {
  if (/^\*{2,}$/.test(name)) return anyNames;
  if (!/[*?[\\]/.test(name)) return name;
  const nodes = (name.replaceAll(/\*+/g, '*').match(part) ?? []).map(toNode);
  if (nodes.includes(undefined)) return undefined;
  const isText = nodes.every((node) => node?.type === 'character');
  return isText ? nodes.map((node) => (node?.type === 'character' ? node.text : '')).join('') : (nodes as Node[]);
}

function toNode(text: string): Node | undefined {
  if (text === '*') return { type: 'repeat', node: notSlash, least: 0, most: Infinity };
  if (text === '?') return notSlash;
  if (text === '[' || text === '\\') return undefined;
  if (text.startsWith('[') && text.length > 1) return toClass(text);
  return { type: 'character', text: text.startsWith('\\') ? text.slice(1) : text };
}

function toClass(text: string): Node | undefined {
  if (/\\|\[:|^\[[!^]?\]$/.test(text)) return undefined;
  const isNegated = /^\[[!^]/.test(text);
  const inner = text.slice(isNegated ? 2 : 1, -1).replaceAll(/[\][^]/g, '\\$&');
  try {
    const expression = new RegExp(`^[${isNegated ? '^' : ''}${inner}]$`, 'u');
    return { type: 'set', has: (character) => character !== '/' && expression.test(character) };
  } catch {
    return undefined; // a reversed range
  }
}
