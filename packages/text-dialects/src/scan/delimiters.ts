import type { Dialect, Grammar, Thoughts } from '../dialects/dialect.ts';
import { grammarsOf } from '../read/grammar.ts';
import { firstWord } from '../text/lookahead.ts';

/** Throws a `TypeError` that names the delimiter of a dialect that is empty, and so would match everywhere. */
export function assertDialect(dialect: Dialect): void {
  const whose = `The dialect "${dialect.name}"`;
  const inGrammar = grammarsOf(dialect).flatMap((grammar) => {
    const [fields, searched] = needed[grammar.kind];
    return emptyIn(grammar, fields, searched);
  })[0];
  const field = inGrammar === undefined ? emptyIn(dialect, ofDialect)[0] : `grammar.${inGrammar}`;
  if (field !== undefined) refuse(whose, field);
  if (dialect.thoughts !== undefined) assertThoughts(dialect.thoughts, whose);
}

/** The same for thoughts. */
export function assertThoughts(thoughts: Thoughts, whose: string): void {
  const [field] = emptyIn(thoughts, ofThoughts, asWritten);
  if (field === undefined) return;
  const hint = field === 'open' ? ' If the chat template writes it, give it all the same, with "isOpened: true".' : '';
  refuse(whose, `thoughts.${field}`, hint);
}

function refuse(whose: string, field: string, hint = ''): never {
  throw new TypeError(`${whose} has an empty delimiter: ${field}. It would match everywhere.${hint}`);
}

/** The part of a delimiter by which it is found. */
type Searched = (text: string) => string;

const asWritten: Searched = (text) => text;

const ofDialect: readonly (keyof Dialect)[] = ['ends', 'hidden'];
const ofThoughts: readonly (keyof Thoughts)[] = ['open', 'close'];

type FieldsOf<Kind> = readonly (keyof Extract<Grammar, { kind: Kind }> & string)[];

/** The delimiters that a grammar cannot do without; `firstWord` if they may have a place for a name, or a line break. */
const needed: { readonly [Kind in Grammar['kind']]: readonly [fields: FieldsOf<Kind>, searched: Searched] } = {
  json: [['between', 'id'], asWritten],
  named: [['open', 'close', 'frame'], firstWord],
  keyed: [['open'], firstWord],
  braces: [['open', 'quote'], firstWord],
  tags: [['call', 'parameter', 'frame'], firstWord],
  lines: [['fence', 'rule'], asWritten],
  python: [[], asWritten],
};

/** Names of the fields whose delimiter is empty. Absent fields do not count. */
function emptyIn(
  values: Dialect | Grammar | Thoughts,
  fields: readonly string[],
  searched = firstWord,
): readonly string[] {
  const given = new Map<string, unknown>(Object.entries(values));
  return fields.flatMap((field) => {
    const value = given.get(field);
    if (!Array.isArray(value)) return typeof value === 'string' && searched(value) === '' ? [field] : [];
    return value.flatMap((text, index) => (searched(String(text)) === '' ? [`${field}[${index}]`] : []));
  });
}
