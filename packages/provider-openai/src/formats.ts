import type { JsonSchema, ResponseFormat } from '@utensil/core';
import { outputSchema } from './strict.ts';

/** The form of an answer, as the Responses API has it. */
export function flatFormat(format: ResponseFormat, modelId: string): object {
  return { text: { format: format === 'json' ? anyJson : { type: 'json_schema', ...namedSchema(format, modelId) } } };
}

/** The same, as Chat Completions has it. */
export function chatFormat(format: ResponseFormat, modelId: string): object {
  const isAny = format === 'json';
  return { response_format: isAny ? anyJson : { type: 'json_schema', json_schema: namedSchema(format, modelId) } };
}

const anyJson = { type: 'json_object' } as const;

interface NamedSchema {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly strict: boolean;
}

/** Strict where that changes no value: a property that may be left out would be `null`. */
function namedSchema({ schema, name = 'answer' }: Exclude<ResponseFormat, 'json'>, modelId: string): NamedSchema {
  const strict = outputSchema(schema, modelId);
  return { name, schema: strict ?? schema, strict: strict !== undefined };
}
