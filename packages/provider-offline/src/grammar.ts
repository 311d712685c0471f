/**
 * The commands: a word, and what follows it. `<field>` must be there, `[field]` may be; what stands between two fields
 * divides them. This is all that the parser knows of a command.
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

/** The first word of a command. */
export type Verb = keyof typeof forms;

type FieldOf<Form extends string> = Form extends `${string}<${infer Name}>${infer Rest}`
  ? Name | FieldOf<Rest>
  : Form extends `${string}[${infer Name}]`
    ? Name
    : never;

/** A command of one verb. A field that may be absent is then empty. */
export type CommandOf<Name extends Verb> = { readonly verb: Name } & {
  readonly [Field in FieldOf<(typeof forms)[Name]>]: string;
};

/** A command with its fields: `{ verb: 'read', path: 'notes/todo.md' }`. */
export type Command = { [Name in Verb]: CommandOf<Name> }[Verb];

/** A place in a form. */
export interface Slot {
  readonly field: string;
  readonly isOptional: boolean;
  /** What stands behind it; empty for the last one. */
  readonly divider: string;
}

/** The places of a verb's form, in order. */
export function slotsOf(verb: Verb): readonly Slot[] {
  return [...forms[verb].matchAll(/([<[])(\w+)[>\]]\s*([^\s<[]*)/g)].map(([, bracket, field = '', divider = '']) => ({
    field,
    isOptional: bracket === '[',
    divider,
  }));
}

/** The word between two commands. */
export const joint = 'then';

/** True if a word is a verb, in small letters. */
export function isVerb(word: string): word is Verb {
  return Object.hasOwn(forms, word);
}

/** Other spellings of verbs. */
const spellings: Readonly<Record<string, Verb>> = { summarize: 'summarise' };

/** Every word that begins a command, in small letters. */
export const openings: readonly string[] = [...Object.keys(forms), ...Object.keys(spellings)];

/** The verb that a word is, however it is spelled. */
export function verbOf(word: string): Verb | undefined {
  const verb = word.toLowerCase();
  if (Object.hasOwn(spellings, verb)) return spellings[verb];
  return isVerb(verb) ? verb : undefined;
}

/** Written in quotes as a backslash and this letter. */
export const escapes: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
]);
