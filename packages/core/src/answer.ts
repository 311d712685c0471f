import { after } from './eventually.ts';
import type { Eventually } from './eventually.ts';
import { explainIssues } from './explain.ts';
import { toJson } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import { boundParts, toText } from './output.ts';
import { modelPartsOf, neverEmpty } from './render.ts';
import { toJsonSchema } from './schema.ts';
import type { Schema } from './schema.ts';
import { isAnswer } from './tool.ts';
import type { Tool, ToolAnswer } from './tool.ts';
import { failure } from './tool-result.ts';
import type { ToolResult } from './tool-result.ts';

/** What a tool, or the client in its place, returned, as a result. */
export function answer(tool: Tool, returned: unknown, limits: Limits): Eventually<ToolResult> {
  const given: Partial<ToolAnswer> = isAnswer(returned) ? returned : { output: returned };
  const output = toJson(given.output);
  if (tool.output === undefined || given.isError === true) return toResult(tool, { ...given, output }, limits);
  return after(outputProblem(tool, tool.output, output), (problem) =>
    problem === undefined ? toResult(tool, { ...given, output }, limits) : failure('invalid_output', problem),
  );
}

interface Limits {
  readonly outputLimit?: number | undefined;
}

function toResult(tool: Tool, given: Partial<ToolAnswer> & { readonly output: Json }, limits: Limits): ToolResult {
  const { output, parts, isError = false, input, control } = given;
  const shown = parts ?? attempt(() => modelPartsOf(tool, output)) ?? [{ type: 'text', text: toText(output) }];
  const status: unknown = attempt(() => tool.render?.status?.(output));
  const userView = attempt(() => tool.render?.user?.(output));
  return {
    output,
    modelParts: boundParts(neverEmpty(shown), tool.outputLimit ?? limits.outputLimit ?? 100_000),
    isError,
    ...(isError && { code: 'tool_failed' }),
    ...(input && { input: toJson(input) as JsonObject }),
    ...(control && { control: { end: { value: toJson(control.end.value) } } }),
    ...(status !== undefined && { status: String(status) }),
    ...(userView !== undefined && { userView: toJson(userView) }),
  };
}

function outputProblem({ name }: Tool, schema: Schema, output: Json): Eventually<string | undefined> {
  return after(schema['~standard'].validate(output), ({ issues }) => {
    if (issues === undefined) return undefined;
    const shape = attempt(() => toJsonSchema(schema)) ?? {};
    return `Tool execution failed: "${name}" returned something that does not match its output schema:\n${explainIssues(issues, output, shape)}`;
  });
}

/** A view that fails must not lose the result that it was to show. */
function attempt<Value>(view: () => Value): Value | undefined {
  try {
    return view();
  } catch {
    return undefined;
  }
}
