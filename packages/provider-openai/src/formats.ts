// Code that only requests for JSON need: loaded with the first one.

import type { JsonSchema, ResponseFormat } from '@utensil/core';
import { outputSchema } from './strict.ts';

/** The form of an answer, as the Responses API has it. */
export function flatFormat(format: ResponseFormat, modelId: string): object {
  return { text: { format: format === 'json' ? anyJson : { type: 'json_schema', ...namedSchema(format, modelId) } } };
}

/** The same, as Chat Completions has it. */
export function chatFormat(format: ResponseFormat, modelId: string): object {
  const json_schema = format === 'json' ? undefined : namedSchema(format, modelId);
  return { response_format: json_schema === undefined ? anyJson : { type: 'json_schema', json_schema } };
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
