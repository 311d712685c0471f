import { branchesOf, tellBranches } from '../../schema/branches.ts';
import type { FunctionDefinition, ToolDefinition } from '../model.ts';

/** All tools, or those with these names. */
export type Chosen = boolean | readonly string[];

/** True if a tool is among those that were chosen. Default: none is. */
export function isChosen({ name }: Pick<ToolDefinition, 'name'>, chosen: Chosen = false): boolean {
  return typeof chosen === 'boolean' ? chosen : chosen.includes(name);
}

/** The description of a tool with its examples at the end, for APIs that have no field for them. */
export function describeTool(definition: FunctionDefinition): string {
  const { examples = [] } = definition;
  const description = describeInput(definition);
  if (examples.length === 0) return description;
  return [description, '', 'Examples of input:', ...examples.map((example) => JSON.stringify(example))].join('\n');
}

/** The description of a tool, and of a union of objects, which APIs take as one object: what fields belong together. */
export function describeInput({ description, inputSchema }: FunctionDefinition): string {
  const branches = branchesOf(inputSchema);
  return branches.length === 0 ? description : `${description}\n\nInput is one of:\n${tellBranches(branches)}`;
}
