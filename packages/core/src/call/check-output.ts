import { isUtensilError } from '../base/errors.ts';
import { whenReady } from '../base/eventually.ts';
import type { Eventually } from '../base/eventually.ts';
import { loadFormats, loadInterpreter } from '../schema/load-validator.ts';
import type { Json, JsonSchema } from '../base/json.ts';
import { toJsonSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';
import { failure } from '../tool/result.ts';
import type { ToolResult } from '../tool/result.ts';
import type { Tool } from '../tool/tool.ts';
import { explainIssues } from './explain.ts';

/** Loads the validator of a schema if that is `jsonSchema`'s. */
export function loadValidator(schema: Schema): Eventually<unknown> {
  const { vendor } = (schema['~standard'] as Partial<Schema['~standard']> | undefined) ?? {};
  return vendor === 'utensil' ? whenReady(loadInterpreter(), loadFormats) : undefined;
}

/** Failure for an output that does not match its schema, or cannot be validated. */
export async function checkOutput({ name, output: schema }: Tool, output: Json): Promise<ToolResult | undefined> {
  if (schema === undefined) return undefined;
  try {
    const { issues } = await schema['~standard'].validate(output);
    if (issues === undefined) return undefined;
    const shape = shapeOf(schema);
    const problem = `"${name}" returned something that does not match its output schema:\n${explainIssues(issues, output, shape)}`;
    return failure('invalid_output', `Tool execution failed: ${problem}`);
  } catch (error) {
    if (!isUtensilError(error, 'schema_unsupported', 'schema_too_costly')) throw error;
    return failure(error.code, `Tool execution failed: the output of "${name}" could not be checked: ${error.message}`);
  }
}

function shapeOf(schema: Schema): JsonSchema {
  try {
    return toJsonSchema(schema);
  } catch {
    return {};
  }
}
