import type { Json, JsonObject, JsonSchema } from '@utensil/core';

export interface FormField {
  /** Path in the answer; empty if the field is the whole answer. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly kind: 'text' | 'longtext' | 'number' | 'integer' | 'boolean' | 'choice';
  readonly choices: readonly string[];
  readonly isNeeded: boolean;
}

const mostFields = 12;

/** Form fields for a schema of a few texts, numbers, choices and switches; undefined for more complex schemas. */
export function fieldsOf(schema: JsonSchema): readonly FormField[] | undefined {
  const { type, properties } = schema;
  if (type !== 'object') {
    const field = fieldOf('', schema, true);
    return field && [field];
  }
  const entries = isObject(properties) ? Object.entries(properties) : [];
  const needed = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = entries.map(([name, property]) => fieldOf(name, property, needed.includes(name)));
  const isForm = fields.length > 0 && fields.length <= mostFields && fields.every((field) => field !== undefined);
  return isForm ? fields : undefined;
}

function fieldOf(name: string, schema: Json | undefined, isNeeded: boolean): FormField | undefined {
  if (!isObject(schema)) return undefined;
  const { title, description, type, enum: choices, maxLength } = schema;
  const about = {
    name,
    label: typeof title === 'string' ? title : name,
    description: typeof description === 'string' ? description : '',
    isNeeded,
    choices: [],
  };
  if (Array.isArray(choices)) {
    const texts = choices.filter((choice) => typeof choice === 'string');
    return texts.length === choices.length ? { ...about, kind: 'choice', choices: texts } : undefined;
  }
  if (type === 'boolean' || type === 'number' || type === 'integer') return { ...about, kind: type };
  if (type !== 'string') return undefined;
  return { ...about, kind: typeof maxLength === 'number' && maxLength <= 200 ? 'text' : 'longtext' };
}

/** Values by field name. */
export type Filled = Readonly<Record<string, string | boolean | undefined>>;

/** Answer of a form, or the invalid field with its problem. */
export type FormAnswer =
  | { readonly output: Json }
  | { readonly field: FormField; readonly problem: 'needed' | 'noNumber' };

/** Converts form values to an answer. */
export function answerOf(fields: readonly FormField[], filled: Filled): FormAnswer {
  const output: Record<string, Json> = {};
  for (const field of fields) {
    const value = valueOf(field, filled[field.name]);
    if (value === undefined && field.isNeeded) return { field, problem: 'needed' };
    if (typeof value === 'number' && !isFitting(field, value)) return { field, problem: 'noNumber' };
    if (value !== undefined && field.name === '') return { output: value };
    if (value !== undefined) output[field.name] = value;
  }
  return { output };
}

function valueOf({ kind, isNeeded }: FormField, filled: string | boolean | undefined): Json | undefined {
  if (kind === 'boolean') return filled === true || (filled === undefined && !isNeeded ? undefined : false);
  if (filled === undefined || filled === '') return undefined;
  return kind === 'number' || kind === 'integer' ? Number(filled) : filled;
}

function isFitting({ kind }: FormField, value: number): boolean {
  return kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** Field of a question with suggested answers: a short list of texts under a suitable name. */
export function offerField(input: JsonObject): string | undefined {
  return ['options', 'choices'].find((name) => {
    const list: Json | undefined = input[name];
    return Array.isArray(list) && list.length <= mostFields && list.every((offer) => typeof offer === 'string');
  });
}

/** Answers that a question suggests. */
export function offersOf(input: JsonObject): readonly string[] {
  const field = offerField(input);
  return field === undefined ? [] : (input[field] as readonly string[]);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
