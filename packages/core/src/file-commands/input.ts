import { isObject } from '../base/json.ts';
import type { Schema } from '../schema/schema.ts';
import type { Effect } from '../model/effect.ts';
import { fill } from './texts.ts';
import type { CommonTextName, TextValues } from './texts.ts';

/** Names of the file commands. */
export const commandNames = [
  'view',
  'create',
  'str_replace',
  'insert',
  'delete',
  'rename',
  'copy',
  'mkdir',
  'append',
  'view-all',
] as const;

/** One of {@link commandNames}. */
export type CommandName = (typeof commandNames)[number];

/** Input of a file tool, as a flat object. Each command checks which fields it needs; null counts as absent. */
export interface CommandInput {
  readonly command?: string | null | undefined;
  readonly path?: string | null | undefined;
  readonly paths?: readonly string[] | null | undefined;
  readonly view_range?: readonly number[] | null | undefined;
  readonly file_text?: string | null | undefined;
  readonly old_str?: string | null | undefined;
  readonly new_str?: string | null | undefined;
  readonly insert_line?: number | null | undefined;
  readonly insert_text?: string | null | undefined;
  readonly old_path?: string | null | undefined;
  readonly new_path?: string | null | undefined;
  readonly overwrite?: boolean | null | undefined;
}

type Field = keyof CommandInput;

/** Per command: the required fields besides its name, its effect, and its title for people. */
interface CommandForm {
  readonly needs: readonly Field[];
  readonly effect: Effect;
  readonly title: string;
}

const forms: { readonly [Name in CommandName]: CommandForm } = {
  view: { needs: ['path'], effect: 'read', title: 'View {path}' },
  create: { needs: ['path', 'file_text'], effect: 'write', title: 'Create {path}' },
  str_replace: { needs: ['path', 'old_str'], effect: 'write', title: 'Edit {path}' },
  insert: { needs: ['path', 'insert_line', 'insert_text'], effect: 'write', title: 'Edit {path}' },
  delete: { needs: ['path'], effect: 'destructive', title: 'Delete {path}' },
  rename: { needs: ['old_path', 'new_path'], effect: 'write', title: 'Rename {old_path} to {new_path}' },
  copy: { needs: ['old_path', 'new_path'], effect: 'write', title: 'Copy {old_path} to {new_path}' },
  mkdir: { needs: ['path'], effect: 'write', title: 'Make directory {path}' },
  append: { needs: ['path', 'file_text'], effect: 'write', title: 'Append to {path}' },
  'view-all': { needs: ['paths'], effect: 'read', title: 'View {paths}' },
};

const required: { readonly [Name in Field]?: CommonTextName } = {
  path: 'pathRequired',
  paths: 'pathsRequired',
  file_text: 'fileTextRequired',
  old_str: 'oldTextRequired',
  insert_line: 'lineRequired',
  insert_text: 'insertTextRequired',
  old_path: 'bothPathsRequired',
  new_path: 'bothPathsRequired',
};

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(forms, name);
}

/** Message for the first missing field of a command. */
export function missingText(command: CommandName, input: CommandInput): CommonTextName | undefined {
  const missing = forms[command].needs.find((field) => !isGiven(field, input[field]));
  return missing && required[missing];
}

function isGiven(field: Field, value: unknown): boolean {
  if (field === 'paths') return Array.isArray(value);
  if (field === 'insert_line') return typeof value === 'number';
  return typeof value === 'string' && (value !== '' || !field.endsWith('path'));
}

/** Effect of a call on files. Replacing existing content cannot be undone. */
export function commandEffect({ command, overwrite }: CommandInput): Effect {
  const { effect } = forms[typeof command === 'string' && isCommand(command) ? command : 'view'];
  return effect === 'write' && overwrite === true ? 'destructive' : effect;
}

/** A short title of a call, for people. */
export function commandTitle(input: CommandInput): string {
  const { command, paths } = input;
  if (typeof command !== 'string' || !isCommand(command)) return '';
  const [first = '', ...others] = Array.isArray(paths) ? paths : [];
  const all = others.length === 0 ? first : `${first} and ${others.length} more`;
  return fill(forms[command].title, { ...shownFields(input), paths: all });
}

function shownFields(input: CommandInput): TextValues {
  const fields = ['path', 'old_path', 'new_path'] as const;
  return Object.fromEntries(fields.map((field) => [field, input[field] ?? '']));
}

/**
 * The schema as shown to the model, but accepting null for a missing or unknown command, so that the commands answer it
 * in their own words.
 */
export function commandInput(schema: Schema<CommandInput>): Schema<CommandInput> {
  const standard = schema['~standard'];
  return {
    '~standard': {
      ...standard,
      validate: async (value) => {
        if (!isObject(value)) return standard.validate(value);
        const given = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
        const checked = await standard.validate({ ...given, command: commandNames[0] });
        if (checked.issues !== undefined) return checked;
        return { value: { ...checked.value, command: typeof given['command'] === 'string' ? given['command'] : '' } };
      },
    },
  };
}
