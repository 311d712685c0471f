import { isObject, jsonSchema } from '@utensil/core';
import type { JsonObject, JsonSchema, OptionDefinition, OptionDefinitions, Principal } from '@utensil/core';
import { admitSchema } from './bound-schema.ts';
import { isSafeAddress } from './http-address.ts';

/** A server asks the person for values during a call. */
export interface McpFormQuestion {
  readonly type: 'form';
  /** Name of the server, for people: so that nobody gives a server a secret that another one asked for. */
  readonly server: string;
  /** Written by the server. */
  readonly message: string;
  /** Schema of the answer's `content`: an object of texts, numbers and choices. */
  readonly schema: JsonSchema;
  /** The same as option definitions, for elements that show forms. Excludes lists of choices. */
  readonly fields: OptionDefinitions;
}

/** A server asks the person to open a page during a call: show the whole address, and open it only with consent. */
export interface McpUrlQuestion {
  readonly type: 'url';
  readonly server: string;
  readonly message: string;
  /** `https:`, or `http:` for names of this machine. Not verified in any other way. */
  readonly url: string;
}

export type McpQuestion = McpFormQuestion | McpUrlQuestion;

/**
 * `accept` with the requested values, if any. `later`: nobody is available, so the call continues in the background,
 * and its run asks again when it waits for the call, in any process.
 */
export type McpAnswer = { readonly accept: JsonObject } | 'accept' | 'decline' | 'cancel' | 'later';

/** The call in which a server asks. */
export interface McpAskContext {
  /** Fires when the answer is no longer awaited. */
  readonly signal: AbortSignal;
  readonly callId?: string;
  readonly principal?: Principal;
  /** True for a background call: the answer may take any time, and `later` is invalid. */
  readonly isParked: boolean;
}

/** Asks the run's person. */
export type AskPerson = (question: McpQuestion, context: McpAskContext) => McpAnswer | Promise<McpAnswer>;

/** The answer for a server. */
export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: { readonly [key: string]: string | number | boolean | string[] };
}

/** Maximum characters of a server's text to show. */
const mostShown = 4_000;

/** Maximum number of questions per call. */
export const mostQuestions = 10;

/** Converts a server's request to a question, or returns the reason why nobody is asked. */
export function questionOf(params: unknown, server: string): McpQuestion | { readonly refused: string } {
  if (!isObject(params)) return { refused: 'it is no question.' };
  const { mode = 'form', message: given = '', url, requestedSchema } = params;
  const message = shown(given);
  if (mode === 'url') {
    if (typeof url !== 'string' || url.length > mostShown || !isSafeAddress(url))
      return {
        refused: 'its address is neither https: nor of this machine, has a name before its host, or is too long.',
      };
    return { type: 'url', server, message, url: new URL(url).href }; // as it will be opened: homographs are in xn-- form
  }
  if (mode !== 'form') return { refused: `questions of the mode ${JSON.stringify(mode)} are not known.` };
  const schema = admitSchema(requestedSchema);
  if ('refused' in schema) return { refused: `its schema ${String(schema['refused'])}.` };
  return { type: 'form', server, message, schema, fields: fieldsOf(schema) };
}

/** Answers a question. Values that do not fit the question are rejected. */
export async function resultOf(question: McpQuestion, answer: Exclude<McpAnswer, 'later'>): Promise<ElicitResult> {
  if (answer === 'decline' || answer === 'cancel') return { action: answer };
  if (question.type === 'url') return { action: 'accept' };
  const content = { ...defaultsOf(question.schema), ...(answer === 'accept' ? {} : answer.accept) };
  const checked = await jsonSchema(question.schema)['~standard'].validate(content);
  if (checked.issues !== undefined)
    throw new Error(`The answer does not fit the question: ${checked.issues.map(({ message }) => message).join('; ')}`);
  return { action: 'accept', content: content as NonNullable<ElicitResult['content']> };
}

function defaultsOf({ properties }: JsonSchema): JsonObject {
  const all = Object.entries(isObject(properties) ? properties : {});
  return Object.fromEntries(
    all.flatMap(([key, each]) => (isObject(each) && 'default' in each ? [[key, each['default']]] : [])),
  );
}

/** The requested values as options. */
function fieldsOf({ properties }: JsonSchema): OptionDefinitions {
  const all = Object.entries(isObject(properties) ? properties : {});
  return Object.fromEntries(
    all.flatMap(([key, each]) => {
      const field = isObject(each) ? fieldOf(key, each) : undefined;
      return field === undefined ? [] : [[key, field]];
    }),
  );
}

function fieldOf(key: string, schema: Readonly<Record<string, unknown>>): OptionDefinition | undefined {
  const { type, title, description, default: given, minimum, maximum } = schema;
  const base = { label: shown(title ?? key), ...(description !== undefined && { description: shown(description) }) };
  const choices = choicesOf(schema);
  if (choices !== undefined)
    return { ...base, kind: 'select', choices, default: typeof given === 'string' ? given : (choices[0]?.value ?? '') };
  if (type === 'boolean') return { ...base, kind: 'boolean', default: given === true };
  if (type === 'string') return { ...base, kind: 'text', default: typeof given === 'string' ? given : '' };
  if (type !== 'number' && type !== 'integer') return undefined;
  return {
    ...base,
    kind: 'number',
    default: typeof given === 'number' ? given : typeof minimum === 'number' ? minimum : 0,
    ...(typeof minimum === 'number' && { min: minimum }),
    ...(typeof maximum === 'number' && { max: maximum }),
    ...(type === 'integer' && { step: 1 }),
  };
}

/** `enum`, with `enumNames` of 2025, or `oneOf` constants with titles. */
function choicesOf({
  enum: values,
  enumNames,
  oneOf,
}: Readonly<Record<string, unknown>>): readonly Choice[] | undefined {
  if (Array.isArray(values))
    return values.map((value, index) => ({
      value: String(value),
      label: shown(Array.isArray(enumNames) ? enumNames[index] : value),
    }));
  if (!Array.isArray(oneOf)) return undefined;
  return oneOf
    .filter(isObject)
    .map(({ const: value, title }) => ({ value: String(value), label: shown(title ?? value) }));
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Invisible characters and bidi controls. Joiners stay, because scripts and emoji need them. */
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text of a server, safe to display. */
export function shown(text: unknown): string {
  return String(text)
    .slice(0, mostShown)
    .replaceAll(unseen, (each) => (each === '\n' ? each : ''));
}
