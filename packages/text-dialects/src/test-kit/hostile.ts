import type { Dialect, Grammar } from '../dialects/dialect.ts';
import { closers, grammarsOf, starts } from '../read/grammar.ts';
import { fill } from '../text/lookahead.ts';

// Text that is made of the delimiters of a dialect, and how much of a text is looked at.

const tool = 'read_file';
const path = 'path';

/** The delimiters of a dialect, and beginnings of calls: each may be followed by anything, or by itself. */
export function piecesOf(dialect: Dialect): readonly string[] {
  const { hidden = [], ends = [], thoughts, begins = '' } = dialect;
  const words = [...hidden, ...ends, thoughts?.open ?? '', thoughts?.close ?? '', begins];
  const all = grammarsOf(dialect).flatMap((grammar) => [...starts(grammar), ...closers(grammar), ...begun(grammar)]);
  return [...new Set([...all, ...words])].filter((piece) => piece !== '');
}

const named = (template: string, name: string): string => fill(template, name).replaceAll('{id}', '0');

/** Calls that break off at different places. */
function begun(grammar: Grammar): readonly string[] {
  switch (grammar.kind) {
    case 'tags': {
      const [open, key] = [named(grammar.call[0], tool), named(grammar.parameter[0], path)];
      const value = `${key}x${named(grammar.parameter[1], path)}`;
      const frame = grammar.frame?.[0] ?? '';
      return [open, key, value, open + key, `${open}${key}x`, frame + open + key, open + value + grammar.call[1]];
    }
    case 'named':
      return grammar.open.flatMap((template) =>
        ['', '{', '{"path":', '{"path":"', '{}'].map((rest) => named(template, tool) + rest),
      );
    case 'braces':
      return ['{path:', `{path:${grammar.quote}`, '{path:{', '{path:[', '{}'].map(
        (rest) => `${grammar.open}${tool}${rest}`,
      );
    case 'json':
    case 'keyed':
      return [
        '[{',
        `{"name":"${tool}","arguments":{`,
        `{"name":"${tool}","arguments":{"path":"`,
        `{"name":"${tool}","arguments":{}}`,
        `[{"${tool}":{`,
      ].map((rest) => grammar.open + rest);
    case 'python':
      return ['[read_file(', '[read_file(path="', '[read_file(path=[', '[read_file()]', 'read_file(\n'].map(
        (rest) => grammar.open + rest,
      );
    case 'lines':
      return [`${grammar.fence}${tool}\n`, `${grammar.fence}${tool}\npath ${grammar.rule}\n`];
  }
}

/**
 * Number of characters that `run` examines, by searches and one by one: a count of work that does not depend on the
 * machine.
 */
export async function lookedAt(run: () => Promise<unknown>): Promise<number> {
  const { exec } = RegExp.prototype;
  const { indexOf, charAt, startsWith } = String.prototype;
  let count = 0;
  const counted = {
    exec(this: RegExp, text: string) {
      const from = this.global || this.sticky ? this.lastIndex : 0;
      const found = exec.call(this, text);
      count += (found === null ? text.length : found.index + found[0].length) - from + 1;
      return found;
    },
    indexOf(this: string, word: string, from = 0) {
      const found = indexOf.call(this, word, from);
      count += (found < 0 ? this.length : found + word.length) - from + 1;
      return found;
    },
    charAt(this: string, at: number) {
      count++;
      return charAt.call(this, at);
    },
    startsWith(this: string, word: string, at?: number) {
      count++;
      return startsWith.call(this, word, at);
    },
  };
  const { exec: countedExec, ...ofStrings } = counted;
  Object.assign(RegExp.prototype, { exec: countedExec });
  Object.assign(String.prototype, ofStrings);
  try {
    await run();
  } finally {
    Object.assign(RegExp.prototype, { exec });
    Object.assign(String.prototype, { indexOf, charAt, startsWith });
  }
  return count;
}
