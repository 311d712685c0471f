import type { Json } from '../base/json.ts';

/**
 * Shows an option only while another option of the same tool has this value, or one of these; each condition of a list
 * must hold.
 */
export interface VisibleWhen {
  readonly option: string;
  readonly equals: SingleValue | readonly SingleValue[];
}

type SingleValue = boolean | number | string;

/** Possible values of an option. */
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
  /**
   * Predecessors of this option in earlier versions of the tool: until the user chooses, the first valid value among
   * them applies.
   */
  readonly migrateFrom?: readonly FormerSwitch<NoInfer<Value>>[];
}

/** Replacement for a boolean option. */
export interface FormerSwitch<Value extends string = string> {
  readonly option: string;
  readonly equals: boolean;
  readonly value: Value;
}

/** Id of one of the host's `models`. Empty: the model of the run. */
export interface ModelOption extends OptionBase<string> {
  readonly kind: 'model';
}

/** Ids of some of the host's `models`, in the user's order. */
export interface ModelListOption extends OptionBase<readonly string[]> {
  readonly kind: 'modellist';
}

/**
 * A secret is stored in the host's `secrets`, never in settings. `execute` gets it; descriptions and prompts do not.
 */
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

/** Values of a tool's options, secrets included, as passed to `execute`. */
export type OptionValues<Options extends OptionDefinitions> = {
  readonly [Id in keyof Options]: ValueOf<Options[Id]>;
};

/** Values of a tool's options without secrets, as passed to descriptions, schemas and prompts. */
export type PublicValues<Options extends OptionDefinitions> = {
  readonly [Id in keyof Options as Options[Id] extends { readonly kind: 'secret' } ? never : Id]: ValueOf<Options[Id]>;
};

type Definition<Option extends OptionDefinition> = Omit<Option, 'kind'>;
type Undefaulted<Option extends ModelOption | ModelListOption> = Omit<Option, 'kind' | 'default'> &
  Partial<Pick<Option, 'default'>>;

/**
 * Creates options of each kind.
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

/** Problem with a value for an option, as the end of a sentence; undefined if it is valid. */
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

/** True if a value is valid for an option. Without the messages, which only settings pages need. */
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

/** Effective values: stored ones if valid, else the defaults. Does not change stored values. */
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

/** Copies lists before tools get them, so that the user's selection cannot change. */
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

/** True if an option is visible, given the values of the other options. */
export function isVisible({ visibleWhen }: OptionDefinition, values: { readonly [id: string]: OptionValue }): boolean {
  if (visibleWhen === undefined) return true;
  const value = values[visibleWhen.option];
  return [value].flat().some((each) => [visibleWhen.equals].flat().some((wanted) => wanted === each));
}
