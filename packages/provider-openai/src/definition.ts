import type { FunctionDefinition } from '@utensil/core';

/** The description of a tool; neither API has a field for examples, so they stand at its end. */
export function describe({ description, examples = [] }: FunctionDefinition): string {
  if (examples.length === 0) return description;
  return [description, '', 'Examples of input:', ...examples.map((example) => JSON.stringify(example))].join('\n');
}
