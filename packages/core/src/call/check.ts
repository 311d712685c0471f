import { messageForModel } from '../base/host-paths.ts';
import { isUtensilError } from '../base/errors.ts';
import { isPromise } from '../base/eventually.ts';
import type { Eventually } from '../base/eventually.ts';
import { isObject, isTooDeep, toJson } from '../base/json.ts';
import type { JsonObject } from '../base/json.ts';
import type { SchemaIssue, SchemaValidation } from '../schema/schema.ts';
import { failure } from '../tool/result.ts';
import type { ToolResult } from '../tool/result.ts';
import type { CompiledTool } from './compile.ts';
import { loadInvalidValues } from './later-code.ts';
import type { RequestedCall } from './requested-call.ts';

/** Outcome of the check: the arguments as the tool gets them, or a refusal. */
export interface Checked {
  readonly input: JsonObject;
  readonly repairs: readonly string[];
  readonly value?: unknown;
  readonly refusal?: ToolResult;
}

/** Validates the arguments of a call; repairs and validates them again if they fail. Rejects only with `code_unavailable`. */
export function check(compiled: CompiledTool, call: RequestedCall): Eventually<Checked> {
  try {
    const checked = validated(compiled, call);
    return isPromise(checked) ? checked.catch((error: unknown) => unchecked(compiled, call, error)) : checked;
  } catch (error) {
    return unchecked(compiled, call, error);
  }
}

function validated(compiled: CompiledTool, { input, invalidInput }: RequestedCall): Eventually<Checked> {
  if (invalidInput !== undefined || isTooDeep(input)) return invalid(input, invalidInput);
  const outcome = compiled.input['~standard'].validate(copy(input));
  return isPromise(outcome)
    ? outcome.then((each) => afterValidation(compiled, input, each))
    : afterValidation(compiled, input, outcome);
}

function afterValidation(
  compiled: CompiledTool,
  input: JsonObject,
  outcome: SchemaValidation<unknown>,
): Eventually<Checked> {
  if (outcome.issues !== undefined) return repaired(compiled, input, outcome.issues);
  return { input, repairs: noRepairs, value: outcome.value };
}

const noRepairs: readonly string[] = [];

async function invalid(input: JsonObject, invalidInput: string | undefined): Promise<Checked> {
  const { explainInvalid, tooDeepText } = await loadInvalidValues();
  return invalidInput === undefined
    ? { input: {}, repairs: noRepairs, refusal: failure('invalid_input', tooDeepText) }
    : { input, repairs: noRepairs, refusal: failure('invalid_json', explainInvalid(invalidInput)) };
}

async function repaired(
  { tool, input: schema, inputSchema }: CompiledTool,
  input: JsonObject,
  issues: readonly SchemaIssue[],
): Promise<Checked> {
  const { explainInput, repair } = await loadInvalidValues();
  const { value, repairs } = repair(input, inputSchema);
  if (repairs.length > 0) {
    const second = await schema['~standard'].validate(copy(value));
    if (second.issues === undefined) return { input: value as JsonObject, repairs, value: second.value };
  }
  const text = await explainInput(tool.name, { issues, input, schema: inputSchema });
  return { input, repairs: noRepairs, refusal: failure('invalid_input', text) };
}

function unchecked({ tool }: CompiledTool, { input }: RequestedCall, error: unknown): Eventually<Checked> {
  if (isUtensilError(error, 'code_unavailable')) return Promise.reject(error);
  const text = `The input of tool "${tool.name}" could not be checked: ${messageForModel(error, JSON.stringify(toJson(input)))}`;
  const code = isUtensilError(error, 'schema_unsupported', 'schema_too_costly') ? error.code : 'invalid_input';
  return { input, repairs: noRepairs, refusal: failure(code, text) };
}

/** Copies an input: a tool may change it, and the history must not change with it. */
function copy(input: unknown): unknown {
  return isObject(input) && isPlain(input) ? { ...input } : JSON.parse(JSON.stringify(input));
}

/** True if all members are strings, numbers or booleans, which a shallow copy does not share. */
function isPlain(input: Readonly<Record<string, unknown>>): boolean {
  for (const name in input) {
    const value = input[name];
    if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isFinite(value)) return false;
  }
  return true;
}
