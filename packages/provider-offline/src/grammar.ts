/**
 * Forms of the commands. `<field>` is required, `[field]` is optional; the text between two fields is their divider.
 * The parser knows nothing else about a command.
 */
export const forms = {
  write: 'write <path>: <text>',
  append: 'append <path>: <text>',
  read: 'read <path>',
  list: 'list [path]',
  replace: 'replace <old> with <new> in <path>',
  move: 'move <from> to <to>',
  delete: 'delete <path>',
  remember: 'remember <name>: <text>',
  recall: 'recall [name]',
  summarise: 'summarise <path>',
  run: 'run <javascript>',
  help: 'help',
} as const;

/** First word of a command. */
export type Verb = keyof typeof forms;

type FieldOf<Form extends string> = Form extends `${string}<${infer Name}>${infer Rest}`
  ? Name | FieldOf<Rest>
  : Form extends `${string}[${infer Name}]`
    ? Name
    : never;

/** A command of one verb. An omitted optional field is empty. */
export type CommandOf<Name extends Verb> = { readonly verb: Name } & {
  readonly [Field in FieldOf<(typeof forms)[Name]>]: string;
};

/** A command with its fields: `{ verb: 'read', path: 'notes/todo.md' }`. */
export type Command = { [Name in Verb]: CommandOf<Name> }[Verb];

/** A field of a form. */
export interface Slot {
  readonly field: string;
  readonly isOptional: boolean;
  /** Divider after the field; empty for the last one. */
  readonly divider: string;
}

/** Fields of a verb's form, in order. */
export function slotsOf(verb: Verb): readonly Slot[] {
  return [...forms[verb].matchAll(/([<[])(\w+)[>\]]\s*([^\s<[]*)/g)].map(([, bracket, field = '', divider = '']) => ({
    field,
    isOptional: bracket === '[',
    divider,
  }));
}

/** Word between two commands. */
export const joint = 'then';

/** True for a verb in lowercase. */
export function isVerb(word: string): word is Verb {
  return Object.hasOwn(forms, word);
}

/** Alternative spellings of verbs. */
const spellings: Readonly<Record<string, Verb>> = { summarize: 'summarise' };

/** All words that start a command, in lowercase. */
export const openings: readonly string[] = [...Object.keys(forms), ...Object.keys(spellings)];

/** The verb of a word in any spelling. */
export function verbOf(word: string): Verb | undefined {
  const verb = word.toLowerCase();
  if (Object.hasOwn(spellings, verb)) return spellings[verb];
  return isVerb(verb) ? verb : undefined;
}

/** Escape letters in quoted fields. */
export const escapes: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
]);
