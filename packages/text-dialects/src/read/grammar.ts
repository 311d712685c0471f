import type { Block, BlockReading, Match, Place } from './block.ts';
import type { Dialect, Grammar } from '../dialects/dialect.ts';
import { getOrInsert } from '@utensil/core/provider';
import { firstWord } from '../text/lookahead.ts';
import { opensBraces, readBraces } from './read-braces.ts';
import { opensJson } from './opens-json.ts';
import { readJson } from './read-json.ts';
import { opensKeyed, readKeyed } from './read-keyed.ts';
import { opensLines, readLines } from './read-lines.ts';
import { opensNamed, readNamed } from './read-named.ts';
import { opensPython, readPython } from './read-python.ts';
import { opensTags, readTags } from './read-tags.ts';

const known = new WeakMap<Dialect, readonly Grammar[]>();

/** Forms in which the calls of a dialect are read. */
export function grammarsOf(dialect: Dialect): readonly Grammar[] {
  return getOrInsert(known, dialect, () => [dialect.grammar, ...(dialect.also ?? [])]);
}

/** True if a call begins right here. */
export function opens(grammar: Grammar, place: Place): Match {
  switch (grammar.kind) {
    case 'json':
      return opensJson(grammar, place);
    case 'named':
      return opensNamed(grammar, place);
    case 'keyed':
      return opensKeyed(grammar, place);
    case 'braces':
      return opensBraces(grammar, place);
    case 'tags':
      return opensTags(grammar, place);
    case 'lines':
      return opensLines(grammar, place);
    case 'python':
      return opensPython(grammar, place);
  }
}

/** Reads the calls that begin here, behind their opening. */
export function read(grammar: Grammar, block: Block): BlockReading {
  switch (grammar.kind) {
    case 'json':
      return readJson(grammar, block);
    case 'named':
      return readNamed(grammar, block);
    case 'keyed':
      return readKeyed(grammar, block);
    case 'braces':
      return readBraces(grammar, block);
    case 'tags':
      return readTags(grammar, block);
    case 'lines':
      return readLines(grammar, block);
    case 'python':
      return readPython(grammar, block);
  }
}

/** The words with which an opening can begin. */
export function starts(grammar: Grammar): readonly string[] {
  switch (grammar.kind) {
    case 'json':
      return grammar.open === '' || grammar.bare === true ? [grammar.open, '{', '['] : [grammar.open];
    case 'keyed':
    case 'braces':
      return [grammar.open];
    case 'named':
      return [...grammar.open.map(firstWord), ...(grammar.frame?.slice(0, 1) ?? [])];
    case 'tags': {
      const [open, close] = grammar.call;
      return [open, ...(grammar.strict === true ? [close] : []), grammar.frame?.[0] ?? ''].map(firstWord);
    }
    case 'lines':
      return [grammar.fence];
    case 'python':
      return [grammar.open || '['];
  }
}

/** The closing tags that mean nothing by themselves. */
export function closers(grammar: Grammar): readonly string[] {
  switch (grammar.kind) {
    case 'json':
    case 'python':
    case 'keyed':
    case 'braces':
      return grammar.close === '' ? [] : [grammar.close];
    case 'named':
      return [...grammar.close, grammar.frame?.[1] ?? ''].filter((word) => word.startsWith('<'));
    case 'tags':
      return [grammar.call[1], grammar.frame?.[1] ?? ''].filter((close) => close !== '' && !close.includes('{name}'));
    case 'lines':
      return [];
  }
}
