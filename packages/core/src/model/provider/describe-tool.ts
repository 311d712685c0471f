import { branchesOf, tellBranches } from '../../schema/branches.ts';
import type { FunctionDefinition } from '../model.ts';
import { withExamples } from './definition.ts';

/** The text of `describeInput` for a tool, with its examples at the end. */
export function describeTool(definition: FunctionDefinition): string {
  return withExamples({ ...definition, description: describeInput(definition) });
}

/** The description of a tool, and of a union of objects, which APIs take as one object: what fields belong together. */
export function describeInput({ description, inputSchema }: FunctionDefinition): string {
  const branches = branchesOf(inputSchema);
  return branches.length === 0 ? description : `${description}\n\nInput is one of:\n${tellBranches(branches)}`;
}
