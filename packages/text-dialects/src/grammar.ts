import type { Block, BlockReading, Match, Place } from './block.ts';
import type { Grammar } from './dialect.ts';
import { opensJson, readJson } from './read-json.ts';
import { opensLines, readLines } from './read-lines.ts';
import { opensPython, readPython } from './read-python.ts';
import { opensTags, readTags } from './read-tags.ts';

/** Whether a call begins right here. */
export function opens(grammar: Grammar, place: Place): Match {
  switch (grammar.kind) {
    case 'json':
      return opensJson(grammar, place);
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
    case 'tags':
      return readTags(grammar, block);
    case 'lines':
      return readLines(grammar, block);
    case 'python':
      return readPython(grammar, block);
  }
}

/** The characters that an opening can begin with. */
export function firstChars(grammar: Grammar): readonly string[] {
  switch (grammar.kind) {
    case 'json':
      return [...grammar.open.slice(0, 1), ...(grammar.open === '' || grammar.bare === true ? ['{', '['] : [])];
    case 'tags': {
      const templates = [grammar.call[0], grammar.call[1], grammar.frame?.[0] ?? ''];
      return templates.flatMap((template) => [...template.slice(0, 1)]);
    }
    case 'lines':
      return [...grammar.fence.slice(0, 1)];
    case 'python':
      return [grammar.open.slice(0, 1) || '['];
  }
}

/** The closing tags that mean nothing by themselves. */
export function closers(grammar: Grammar): readonly string[] {
  switch (grammar.kind) {
    case 'json':
    case 'python':
      return grammar.close === '' ? [] : [grammar.close];
    case 'tags':
      return [grammar.call[1], grammar.frame?.[1] ?? ''].filter((close) => close !== '' && !close.includes('{name}'));
    case 'lines':
      return [];
  }
}
