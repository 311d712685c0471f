import type { Dialect, Grammar, Thoughts } from '../dialects/dialect.ts';
import { grammarsOf } from '../read/grammar.ts';
import { firstWord } from '../text/lookahead.ts';

/** Throws a `TypeError` that names the delimiter of a dialect that is empty, and so would match everywhere. */
export function assertDialect(dialect: Dialect): void {
  const whose = `The dialect "${dialect.name}"`;
  const inGrammar = grammarsOf(dialect).flatMap((grammar) => emptyIn(grammar, ...needed[grammar.kind]))[0];
  const field = inGrammar === undefined ? emptyIn(dialect, ['ends', 'hidden'])[0] : `grammar.${inGrammar}`;
  if (field !== undefined) refuse(whose, field);
  if (dialect.thoughts !== undefined) assertThoughts(dialect.thoughts, whose);
}

/** The same for thoughts. */
export function assertThoughts(thoughts: Thoughts, whose: string): void {
  const [field] = emptyIn(thoughts, ['open', 'close'], whole);
  if (field === undefined) return;
  const hint = field === 'open' ? ' If the chat template writes it, give it all the same, with "isOpened: true".' : '';
  refuse(whose, `thoughts.${field}`, hint);
}

function refuse(whose: string, field: string, hint = ''): never {
  throw new TypeError(`${whose} has an empty delimiter: ${field}. It would match everywhere.${hint}`);
}

/** The part of a delimiter by which it is found. */
type Sign = (text: string) => string;

const whole: Sign = (text) => text;

/** The delimiters that a grammar cannot do without; `firstWord` if they may have a place for a name, or a line break. */
const needed: Readonly<Record<Grammar['kind'], readonly [fields: readonly string[], sign: Sign]>> = {
  json: [['between', 'id'], whole],
  named: [['open', 'close', 'frame'], firstWord],
  keyed: [['open'], firstWord],
  braces: [['open', 'quote'], firstWord],
  tags: [['call', 'parameter', 'frame'], firstWord],
  lines: [['fence', 'rule'], whole],
  python: [[], whole],
};

/** The fields with a text that has no sign; one that is missing is not empty. */
function emptyIn(values: Dialect | Grammar | Thoughts, fields: readonly string[], sign = firstWord): readonly string[] {
  const given = new Map<string, unknown>(Object.entries(values));
  return fields.flatMap((field) => {
    const value = given.get(field);
    if (!Array.isArray(value)) return typeof value === 'string' && sign(value) === '' ? [field] : [];
    return value.flatMap((text, index) => (sign(String(text)) === '' ? [`${field}[${index}]`] : []));
  });
}
