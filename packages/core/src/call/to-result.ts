import { whenReady } from '../base/eventually.ts';
import { loadInvalidValues } from './later-code.ts';
import type { Eventually } from '../base/eventually.ts';
import { toJson } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { boundParts } from '../tool/bounded-parts.ts';
import type { ContentPart } from '../model/message.ts';
import { receiptOf } from './background-receipt.ts';
import { redactedJson, redactedParts } from './redacted.ts';
import { outputLimitOf } from './output-limit.ts';
import type { OutputLimits } from './output-limit.ts';
import { modelPartsOf, neverEmpty, toText } from './render.ts';
import { isExplicitResult } from '../tool/result.ts';
import type { Tool } from '../tool/tool.ts';
import type { ExplicitResult, ToolResult } from '../tool/result.ts';

/** Loads the code that checks the outputs of a tool. Once the tool has run, it may be too late for that. */
export function loadOutputCheck({ output }: Tool): Eventually<unknown> {
  return output && whenReady(loadInvalidValues(), ({ loadValidator }) => loadValidator(output));
}

/** Converts the value returned by a tool, or by the client in its place, to a result. */
export function answer(tool: Tool, returned: unknown, limits: OutputLimits): Eventually<ToolResult> {
  if (!isExplicitResult(returned)) return resultOf(tool, { output: returned }, limits);
  if (returned.detached === undefined) return resultOf(tool, returned, limits);
  return receiptOf(tool, returned, limits);
}

function resultOf(tool: Tool, given: Partial<ExplicitResult>, limits: OutputLimits): Eventually<ToolResult> {
  const output = redactedJson(given.output, limits);
  if (given.isError === true || tool.output === undefined) return checkedResult(tool, { ...given, output }, limits);
  const refusal = whenReady(loadInvalidValues(), ({ checkOutput }) => checkOutput(tool, output));
  return whenReady(refusal, (refused) => refused ?? checkedResult(tool, { ...given, output }, limits));
}

function checkedResult(
  tool: Tool,
  given: Partial<ExplicitResult> & { readonly output: Json },
  limits: OutputLimits,
): ToolResult {
  const { output, parts } = given;
  const { readBack } = limits;
  const { render } = tool;
  const shown = redactedParts(parts ?? shownParts(tool, output), limits);
  const isPlain = parts === undefined && render?.model === undefined; // otherwise the readable text is not the output itself
  const how = isPlain || readBack === undefined ? readBack : { other: readBack };
  const views = viewsOf(tool, given, limits);
  const modelParts = boundParts(neverEmpty(shown), outputLimitOf(tool, limits), how);
  return { output, modelParts, isError: given.isError ?? false, ...views };
}

function shownParts(tool: Tool, output: Json): readonly ContentPart[] {
  const rendered = tool.render?.model && attempt(() => modelPartsOf(tool, output));
  return rendered ?? [{ type: 'text', text: toText(output) }];
}

/** Members of a result besides the model's view. */
function viewsOf(
  { render }: Tool,
  { output, isError, input, control }: Partial<ExplicitResult> & { readonly output: Json },
  limits: OutputLimits,
): Partial<ToolResult> | undefined {
  const status = render?.status && attempt<unknown>(() => render.status?.(output));
  const userView = render?.user && attempt(() => render.user?.(output));
  const isPlain = input === undefined && control === undefined && status === undefined && userView === undefined;
  if (isPlain && isError !== true) return undefined;
  return {
    ...(isError === true && { code: 'tool_failed' }),
    ...(input && { input: redactedJson(input, limits) as JsonObject }),
    ...(control && { control: { end: { value: redactedJson(control.end.value, limits) } } }),
    ...(status !== undefined && { status: String(status) }),
    ...(userView !== undefined && { userView: toJson(userView) }),
  };
}

/** A rendering that fails must not lose the result. */
function attempt<Value>(view: () => Value): Value | undefined {
  try {
    return view();
  } catch {
    return undefined;
  }
}
