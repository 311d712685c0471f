import { getOrInsert } from '@utensil/core/provider';
import type { Dialect, Grammar, Thoughts } from '../dialects/dialect.ts';
import { assertDialect, assertThoughts } from './delimiters.ts';
import { closers, grammarsOf, starts } from '../read/grammar.ts';
import { resultQuotes } from '../write/results.ts';
import type { ResultQuote } from '../write/results.ts';
import { roleSigns, roleWords } from './roles.ts';
import { createSigns } from '../text/signs.ts';
import type { Signs } from '../text/signs.ts';

/** A form in which calls are read. */
export interface Form {
  readonly dialect: Dialect;
  readonly grammar: Grammar;
}

/** Words that a scan looks for in text. */
export interface Lexicon {
  readonly dialects: readonly Dialect[];
  readonly forms: readonly Form[];
  /** The first is that of the family; `undefined` if thoughts are text. */
  readonly thoughts: readonly Thoughts[];
  /** Tokens without content of the dialect that is written, and of the others. */
  readonly hidden: readonly string[];
  readonly foreign: readonly string[];
  readonly ends: readonly string[];
  /** Closing tags that mean nothing behind a call. */
  readonly closers: readonly string[];
  /** Openings of results. */
  readonly results: readonly string[];
  /** The frames of results, by their openings. */
  readonly quotes: ReadonlyMap<string, ResultQuote>;
  /** Finds the first possible beginning of any word: before the first call, and after it. */
  readonly signs: Signs;
  readonly later: Signs;
}

/** Thoughts of other families: no call in them counts, whichever dialect is read. */
export const knownThoughts: readonly Thoughts[] = [
  { open: '<think>', close: '</think>' },
  { open: '<think:opensource>', close: '</think:opensource>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '<thought>', close: '</thought>' },
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '<longcat_think>', close: '</longcat_think>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<|inner_prefix|>', close: '<|inner_suffix|>' },
  { open: '<|START_THINKING|>', close: '<|END_THINKING|>' },
  { open: '<|channel>thought', close: '<channel|>' },
  { open: '<|channel|>analysis<|message|>', close: '<|end|>' },
];

/** Frames of results in which models of most families were trained: no call in them counts, whichever dialect is read. */
const knownResults: readonly ResultQuote[] = [
  { open: '<tool_response', close: '</tool_response>' },
  { open: '<tool_result', close: '</tool_result>' },
];

const none = {};
const made = new WeakMap<readonly Dialect[], WeakMap<object, Lexicon>>();

/**
 * The lexicon of some dialects: the same for the same objects. `thoughts` are those of the family, or `false` if thoughts
 * are text. Throws a `TypeError` for an empty delimiter.
 */
export function lexiconOf(dialects: readonly Dialect[], thoughts: Thoughts | false): Lexicon {
  const ofDialects = getOrInsert(made, dialects, () => new WeakMap());
  return getOrInsert(ofDialects, thoughts === false ? none : thoughts, () => createLexicon(dialects, thoughts));
}

const lists = new WeakMap<Dialect, readonly [Dialect]>();

/** A list of one dialect: always the same. */
export function alone(dialect: Dialect): readonly [Dialect] {
  return getOrInsert(lists, dialect, () => [dialect] as const);
}

function createLexicon(dialects: readonly Dialect[], thoughts: Thoughts | false): Lexicon {
  for (const dialect of dialects) assertDialect(dialect);
  if (thoughts !== false) assertThoughts(thoughts, 'The option "think"');
  const forms = dialects.flatMap((dialect) => grammarsOf(dialect).map((grammar) => ({ dialect, grammar })));
  const [own] = dialects;
  const others = thoughts === false ? [] : knownThoughts.filter(({ open }) => open !== thoughts.open);
  const parts = {
    dialects,
    forms,
    thoughts: thoughts === false ? [] : [thoughts, ...others],
    hidden: longestFirst(own?.hidden ?? []),
    foreign: longestFirst(dialects.slice(1).flatMap(({ hidden = [] }) => hidden)),
    ends: longestFirst(own?.ends ?? []),
    closers: longestFirst(forms.flatMap(({ grammar }) => closers(grammar))),
  };
  const frames = [...dialects.flatMap(resultQuotes), ...knownResults];
  const results = longestFirst(frames.map(({ open }) => open));
  const elsewhere = new Set([...parts.hidden, ...parts.foreign, ...roleWords]); // around answers and turns of some families
  const quoted = frames.filter(({ open }) => !elsewhere.has(open));
  const quotes = new Map(quoted.toReversed().map((each) => [each.open, each]));
  const words = [
    '`',
    '~~~',
    ...roleSigns,
    ...forms.flatMap(({ grammar }) => starts(grammar)),
    ...parts.thoughts.flatMap(({ open, close }) => [open, close]),
    ...parts.hidden,
    ...parts.foreign,
    ...parts.ends,
    ...results,
  ];
  return {
    ...parts,
    results,
    quotes,
    signs: createSigns(words),
    later: createSigns([...words, ...parts.closers]),
  };
}

function longestFirst(words: readonly string[]): readonly string[] {
  return [...new Set(words)].sort((a, b) => b.length - a.length);
}
