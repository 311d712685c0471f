import type { FunctionDefinition, ToolCallPart } from '@utensil/core';

/** The description of a tool; neither API has a field for examples, so they stand at its end. */
export function describe({ description, examples = [] }: FunctionDefinition): string {
  if (examples.length === 0) return description;
  return [description, '', 'Examples of input:', ...examples.map((example) => JSON.stringify(example))].join('\n');
}

/**
 * The arguments of a call as history. Where the model's text was no JSON that is `{}`: servers refuse a conversation
 * with broken arguments in it, and the call's result has told the model what was wrong.
 */
export function argumentsOf({ input }: ToolCallPart): string {
  return JSON.stringify(input);
}

/** Base64 data or an address, as a URL. */
export function urlOf(part: { readonly mediaType: string; readonly data?: string; readonly url?: string }): string {
  return part.url ?? `data:${part.mediaType};base64,${part.data ?? ''}`;
}
