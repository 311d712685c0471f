import { nameOf } from '@utensil/core/files';
import { isNotePath, noteNames, titleOf } from '../notes/note.ts';

/** A wiki link: the name of a file, then an anchor and an alias. */
export interface WikiLink {
  readonly name: string;
  /** Range of the name in the text between the brackets. */
  readonly start: number;
  readonly end: number;
}

/** Reads the text between the brackets. Undefined if it names no file, as in `[[#Heading]]`. */
export function readWikiLink(inner: string): WikiLink | undefined {
  const [part = ''] = /^[^#|]*/.exec(inner) ?? [];
  const name = part.replace(/\\$/, '').trim(); // a table writes \| before an alias
  if (name === '') return undefined;
  const start = part.indexOf(name);
  return { name, start, end: start + name.length };
}

/** Files by the names that wiki links use: notes first, with or without extension, then other files. */
export interface WikiNames {
  find(name: string): string | undefined;
}

/** Builds the index of all files of a project. */
export function wikiNames(files: readonly string[]): WikiNames {
  const notes = noteNames(files.filter((path) => isNotePath(path)));
  const others = noteNames(files.filter((path) => !isNotePath(path)));
  return { find: (name) => notes.named(name)[0] ?? others.named(name)[0] };
}

/** A name that leads to a file, in the style of a former one. Undefined if wiki links cannot name the file. */
export function writeWikiName(to: string, former: string, names: WikiNames): string | undefined {
  const [root = ''] = /^\.?\//.exec(former) ?? [];
  const path = to.slice(1);
  const directory = path.slice(0, path.length - nameOf(to).length);
  const short = isNotePath(to) && !isNotePath(former) ? titleOf(to) : nameOf(to);
  const all = [`${directory}${short}`, path].map((name) => root + name);
  const candidates = former.includes('/') ? all : [short, ...all];
  return candidates.find((name) => !/[[\]|#\n]|^\s|\s$/.test(name) && names.find(name) === to);
}
