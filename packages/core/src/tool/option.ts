import type { Json } from '../base/json.ts';

/** Shows an option only while another one of the same tool has this value, or one of these; a list has each of its own. */
export interface VisibleWhen {
  readonly option: string;
  readonly equals: SingleValue | readonly SingleValue[];
}

type SingleValue = boolean | number | string;

/** The possible values of an option. */
export type OptionValue = SingleValue | readonly string[];

interface OptionBase<Value extends OptionValue> {
  readonly label: string;
  readonly description?: string;
  readonly default: NoInfer<Value>;
  readonly visibleWhen?: VisibleWhen;
}

export interface BooleanOption extends OptionBase<boolean> {
  readonly kind: 'boolean';
}

export interface NumberOption extends OptionBase<number> {
  readonly kind: 'number';
  readonly min?: number;
  readonly max?: number;
  /** 1 for whole numbers. */
  readonly step?: number;
}

export interface TextOption extends OptionBase<string> {
  readonly kind: 'text' | 'longtext';
  readonly placeholder?: string;
}

export interface SelectOption<Value extends string = string> extends OptionBase<Value> {
  readonly kind: 'select';
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  /** What earlier versions of the tool had in its place: without a choice, the first of these that fits is the value. */
  readonly migrateFrom?: readonly FormerSwitch<NoInfer<Value>>[];
}

/** The replacement of an option that was on or off. */
export interface FormerSwitch<Value extends string = string> {
  readonly option: string;
  readonly equals: boolean;
  readonly value: Value;
}

/** One of the models that the host offers as `models`, by id. Empty: none in particular, so that of the run. */
export interface ModelOption extends OptionBase<string> {
  readonly kind: 'model';
}

/** Some of the models that the host offers as `models`, by id, in the order of the user. */
export interface ModelListOption extends OptionBase<readonly string[]> {
  readonly kind: 'modellist';
}

/** A secret is in the host's `secrets`, never in settings; `execute` gets it, descriptions and prompts do not. */
export interface SecretOption {
  readonly kind: 'secret';
  readonly label: string;
  readonly description?: string;
  readonly visibleWhen?: VisibleWhen;
}

/** A setting that a tool defines for its user. The user interface is generated from it. */
export type OptionDefinition =
  | BooleanOption
  | NumberOption
  | TextOption
  | SelectOption
  | ModelOption
  | ModelListOption
  | SecretOption;

/** The options of a tool, by id. */
export interface OptionDefinitions {
  readonly [id: string]: OptionDefinition;
}

type ValueOf<Definition> = Definition extends { readonly kind: 'secret' }
  ? string | undefined
  : Definition extends SelectOption<infer Value>
    ? Value
    : Definition extends { readonly default: infer Value }
      ? Value extends boolean
        ? boolean
        : Value extends number
          ? number
          : Value extends readonly string[]
            ? readonly string[]
            : string
      : never;

/** The values of a tool's options, secrets included, as `execute` sees them. */
export type OptionValues<Options extends OptionDefinitions> = {
  readonly [Id in keyof Options]: ValueOf<Options[Id]>;
};

/** The values of a tool's options without secrets, as descriptions, schemas and prompts see them. */
export type PublicValues<Options extends OptionDefinitions> = {
  readonly [Id in keyof Options as Options[Id] extends { readonly kind: 'secret' } ? never : Id]: ValueOf<Options[Id]>;
};

type Definition<Option extends OptionDefinition> = Omit<Option, 'kind'>;
type Undefaulted<Option extends ModelOption | ModelListOption> = Omit<Option, 'kind' | 'default'> &
  Partial<Pick<Option, 'default'>>;

/**
 * The kinds of options.
 *
 * @example
 * ```ts
 * import { option } from '@utensil/core';
 *
 * const options = {
 *   safeSearch: option.boolean({ label: 'Safe search', default: true }),
 *   results: option.number({ label: 'Results', default: 8, min: 1, max: 20, step: 1 }),
 *   engine: option.select({
 *     label: 'Engine',
 *     default: 'brave',
 *     choices: [
 *       { value: 'brave', label: 'Brave' },
 *       { value: 'tavily', label: 'Tavily' },
 *     ],
 *   }),
 *   reader: option.model({ label: 'Model that reads the pages' }),
 *   apiKey: option.secret({ label: 'API key', visibleWhen: { option: 'engine', equals: 'tavily' } }),
 * };
 * ```
 */
export const option = {
  boolean: (definition: Definition<BooleanOption>): BooleanOption => ({ kind: 'boolean', ...definition }),
  number: (definition: Definition<NumberOption>): NumberOption => ({ kind: 'number', ...definition }),
  text: (definition: Definition<TextOption>): TextOption => ({ kind: 'text', ...definition }),
  longtext: (definition: Definition<TextOption>): TextOption => ({ kind: 'longtext', ...definition }),
  select: <const Value extends string>(definition: Definition<SelectOption<Value>>): SelectOption<Value> => ({
    kind: 'select',
    ...definition,
  }),
  model: (definition: Undefaulted<ModelOption>): ModelOption => ({ kind: 'model', default: '', ...definition }),
  modellist: (definition: Undefaulted<ModelListOption>): ModelListOption => ({
    kind: 'modellist',
    default: [],
    ...definition,
  }),
  secret: (definition: Definition<SecretOption>): SecretOption => ({ kind: 'secret', ...definition }),
} as const;

/** What is wrong with a value for an option, as the end of a sentence; undefined where nothing is. */
export function optionProblem(definition: OptionDefinition, value: unknown): string | undefined {
  if (fits(definition, value)) return undefined;
  switch (definition.kind) {
    case 'boolean':
      return 'must be true or false';
    case 'number':
      return numberProblem(definition, value);
    case 'text':
    case 'longtext':
      return 'must be a text';
    case 'model':
      return 'must be the id of a model';
    case 'modellist':
      return 'must be a list of ids of models, each of them once';
    case 'select':
      return `must be one of ${definition.choices.map((choice) => choice.value).join(', ')}`;
    case 'secret':
      return 'is a secret: it is kept with the secrets of the host, not in settings';
  }
}

function numberProblem({ min = -Infinity, max = Infinity }: NumberOption, value: unknown): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  return value < min || value > max ? `must be from ${min} to ${max}` : 'must be a whole number';
}

/** True if an option can have a value. Without words, which only settings pages need. */
function fits(definition: OptionDefinition, value: unknown): boolean {
  switch (definition.kind) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return isInRange(definition, value);
    case 'select':
      return definition.choices.some((choice) => choice.value === value);
    case 'modellist':
      return Array.isArray(value) && value.every((id, at) => id !== '' && isText(id) && value.indexOf(id) === at);
    case 'secret':
      return false;
    default:
      return isText(value);
  }
}

function isInRange({ min = -Infinity, max = Infinity, step }: NumberOption, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < min || value > max) return false;
  return step !== 1 || Number.isInteger(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The values in force: what is stored where it is valid, else the default. Nothing stored is changed by it. */
export function readOptions(
  definitions: OptionDefinitions,
  stored: { readonly [id: string]: Json } = {},
): Record<string, OptionValue> {
  const values: Record<string, OptionValue> = {};
  for (const [id, definition] of Object.entries(definitions)) {
    if (definition.kind === 'secret') continue;
    const value = valueOf(stored, id);
    values[id] = own(
      fits(definition, value) ? (value as OptionValue) : (formerValue(definition, stored) ?? definition.default),
    );
  }
  return values;
}

/** Lists are given to tools, and must stay what the user chose. */
function own(value: OptionValue): OptionValue {
  return typeof value === 'object' ? Object.freeze([...value]) : value;
}

function formerValue(definition: OptionDefinition, stored: { readonly [id: string]: Json }): string | undefined {
  if (definition.kind !== 'select') return undefined;
  return definition.migrateFrom?.find((former) => valueOf(stored, former.option) === former.equals)?.value;
}

function valueOf(stored: { readonly [id: string]: Json }, id: string): Json | undefined {
  return Object.hasOwn(stored, id) ? stored[id] : undefined;
}

/** True if an option is shown, given the values of its siblings. */
export function isVisible({ visibleWhen }: OptionDefinition, values: { readonly [id: string]: OptionValue }): boolean {
  if (visibleWhen === undefined) return true;
  const value = values[visibleWhen.option];
  return [value].flat().some((each) => [visibleWhen.equals].flat().some((wanted) => wanted === each));
}
