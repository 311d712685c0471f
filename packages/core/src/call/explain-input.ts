import { loadInterpreter } from '../schema/load-validator.ts';
import { isObject, isTooDeep, mostLevels } from '../base/json.ts';
import type { JsonObject, JsonSchema } from '../base/json.ts';
import { branchesOf, meantBranch, nameOfBranch, tellBranches } from '../schema/branches.ts';
import type { Branch } from '../schema/branches.ts';
import type { SchemaIssue } from '../schema/schema.ts';
import { explainIn, explainIssues } from './explain.ts';

/** Arguments that failed validation. */
export interface FailedInput {
  readonly issues: readonly SchemaIssue[];
  readonly input: JsonObject;
  readonly schema: JsonSchema;
}

/**
 * Answer to a call with invalid arguments. If the tool takes one of several forms, it names the one that was meant, or
 * lists all.
 */
export async function explainInput(name: string, failed: FailedInput): Promise<string> {
  const { issues, input, schema } = failed;
  const invalid = `Invalid input for tool "${name}"`;
  const branches = branchesOf(schema);
  if (branches.length === 0) return `${invalid}:\n${explainIssues(issues, input, schema)}`;
  const meant = meantBranch(input, branches);
  if (meant === undefined)
    return `${invalid}:\n${markProblems(input, branches)}\nIt takes one of:\n${tellBranches(branches)}`;
  return `${invalid}, taken for ${nameOfBranch(meant)}:\n${await explainBranch(meant, failed)}`;
}

/** The discriminating fields that are missing or unknown; says that nothing matches if they are not the reason. */
function markProblems(input: JsonObject, branches: readonly Branch[]): string {
  const [first] = branches;
  const lines = [...(first?.marks.keys() ?? [])].flatMap((name) => {
    const allowed = [...new Set(branches.flatMap(({ marks }) => marks.get(name) ?? []))];
    if (Object.hasOwn(input, name) && allowed.some((value) => value === input[name])) return [];
    const expected = { properties: { [name]: { enum: allowed } } };
    return [explainIssues([{ path: [name], message: '' }], input, expected)];
  });
  return lines.length > 0 ? lines.join('\n') : '- input: fits none of its forms';
}

/** For a union, libraries may only report that no member matches: then the meant member is validated alone. */
async function explainBranch(branch: Branch, { issues, input, schema }: FailedInput): Promise<string> {
  const root = withDefinitions(branch.schema, schema);
  const inside = issues.every(({ path = [] }) => path.length > 0) ? issues : await ownIssues(root, input);
  return explainIn(inside.length > 0 ? inside : issues, { input, root, subject: nameOfBranch(branch) });
}

function withDefinitions(branch: JsonSchema, { $defs, definitions }: JsonSchema): JsonSchema {
  return { ...(isObject($defs) && { $defs }), ...(isObject(definitions) && { definitions }), ...branch };
}

async function ownIssues(schema: JsonSchema, input: JsonObject): Promise<readonly SchemaIssue[]> {
  try {
    const { compile } = await loadInterpreter();
    return compile(schema)(input);
  } catch {
    return []; // falls back to the library's own message
  }
}

/** Reason why arguments are invalid, for the model. */
export function explainInvalid(text: string): string {
  try {
    return isTooDeep(JSON.parse(text)) ? tooDeepText : 'Arguments must be a JSON object.';
  } catch (error) {
    return `Failed to parse JSON arguments: ${(error as Error).message}`;
  }
}

/** Message for arguments that are nested too deeply. */
export const tooDeepText = `Arguments must not be nested more than ${mostLevels} levels deep. Send flatter ones.`;
