import { branchesOf, tellBranches } from '../../schema/branches.ts';
import type { FunctionDefinition } from '../model.ts';
import { withExamples } from './definition.ts';

/** The text of `describeInput` for a tool, with its examples appended. */
export function describeTool(definition: FunctionDefinition): string {
  return withExamples({ ...definition, description: describeInput(definition) });
}

/**
 * Description of a tool whose input is a union of objects. APIs take a single object, so it says which fields belong
 * together.
 */
export function describeInput({ description, inputSchema }: FunctionDefinition): string {
  const branches = branchesOf(inputSchema);
  return branches.length === 0 ? description : `${description}\n\nInput is one of:\n${tellBranches(branches)}`;
}
