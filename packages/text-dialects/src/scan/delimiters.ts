import type { Dialect, Grammar, Thoughts } from '../dialects/dialect.ts';
import { grammarsOf } from '../read/grammar.ts';
import { firstWord } from '../text/lookahead.ts';

/** Throws a `TypeError` that names the delimiter of a dialect that is empty, and so would match everywhere. */
export function assertDialect(dialect: Dialect): void {
  const { name, thoughts, ends = [], hidden = [] } = dialect;
  const problem =
    grammarsOf(dialect).map(emptyIn).find(isFound) ??
    indexed('ends', ends).find(isEmpty)?.[0] ??
    indexed('hidden', hidden).find(isEmpty)?.[0];
  if (problem !== undefined) refuse(`The dialect "${name}"`, problem);
  if (thoughts !== undefined) assertThoughts(thoughts, `The dialect "${name}"`);
}

export function assertThoughts({ open, close }: Thoughts, whose: string): void {
  if (open !== '' && close !== '') return;
  const hint = open === '' ? ' If the chat template writes it, give it all the same, with "isOpened: true".' : '';
  refuse(whose === 'think' ? 'The option "think"' : whose, open === '' ? 'thoughts.open' : 'thoughts.close', hint);
}

function refuse(whose: string, field: string, hint = ''): never {
  throw new TypeError(`${whose} has an empty delimiter: ${field}. It would match everywhere.${hint}`);
}

type Delimiter = readonly [field: string, text: string];

/** The delimiters that a grammar cannot do without. */
function needed(grammar: Grammar): readonly Delimiter[] {
  switch (grammar.kind) {
    case 'json':
      return [
        ['between', grammar.between ?? ' '],
        ['id', grammar.id ?? ' '],
      ];
    case 'tags':
      return [
        ...indexed('call', grammar.call),
        ...indexed('parameter', grammar.parameter),
        ...indexed('frame', grammar.frame ?? []),
      ];
    case 'lines':
      return [
        ['fence', grammar.fence],
        ['rule', grammar.rule],
      ];
    case 'named':
      return [
        ...indexed('open', grammar.open),
        ...indexed('close', grammar.close),
        ...indexed('frame', grammar.frame ?? []),
      ];
    case 'keyed':
      return indexed('open', [grammar.open]);
    case 'braces':
      return [...indexed('open', [grammar.open]), ...indexed('quote', [grammar.quote])];
    case 'python':
      return [];
  }
}

function indexed(field: string, texts: readonly string[]): readonly Delimiter[] {
  return texts.map((text, index) => [`${field}[${index}]`, firstWord(text)]);
}

function emptyIn(grammar: Grammar): string | undefined {
  const field = needed(grammar).find(isEmpty)?.[0];
  return field === undefined ? undefined : `grammar.${field}`;
}

function isEmpty([, text]: Delimiter): boolean {
  return text === '';
}

function isFound(field: string | undefined): field is string {
  return field !== undefined;
}
