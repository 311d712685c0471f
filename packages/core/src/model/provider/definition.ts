import type { FunctionDefinition, ToolDefinition } from '../model.ts';

/** All tools, or those with these names. */
export type Chosen = boolean | readonly string[];

/** True if a tool was chosen. Default: none is. */
export function isChosen({ name }: Pick<ToolDefinition, 'name'>, chosen: Chosen = false): boolean {
  return typeof chosen === 'boolean' ? chosen : chosen.includes(name);
}

/** Description of a tool with its examples appended, for APIs without a field for examples. */
export function withExamples({ description, examples = [] }: FunctionDefinition): string {
  if (examples.length === 0) return description;
  return [description, '', 'Examples of input:', ...examples.map((example) => JSON.stringify(example))].join('\n');
}
