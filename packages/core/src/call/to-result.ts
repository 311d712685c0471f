import { isUtensilError } from '../base/errors.ts';
import { mapStrings, toJson } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { boundParts, outputLimitFor, toText } from '../tool/output.ts';
import type { ContentPart } from '../model/message.ts';
import type { AnswerLimits } from './answer-limits.ts';
import { modelPartsOf, neverEmpty } from './render.ts';
import { toJsonSchema } from '../schema/schema.ts';
import { isExplicitResult } from '../tool/explicit-result.ts';
import type { Tool } from '../tool/tool.ts';
import type { ExplicitResult } from '../tool/explicit-result.ts';
import { failure } from '../tool/result.ts';
import type { ToolResult } from '../tool/result.ts';

/** The value that a tool, or the client in its place, returned, as a result. */
export async function answer(tool: Tool, returned: unknown, limits: AnswerLimits): Promise<ToolResult> {
  if (!isExplicitResult(returned)) return resultOf(tool, { output: returned }, limits);
  if (returned.detached === undefined) return resultOf(tool, returned, limits);
  return (await import('./receipt.ts')).receiptOf(tool, returned, { ...limits, cleaned });
}

async function resultOf(
  tool: Tool,
  given: Partial<ExplicitResult>,
  { outputLimit, contextWindow, readBack, clean }: AnswerLimits,
): Promise<ToolResult> {
  const { parts, isError = false, input, control } = given;
  const json = (value: unknown): Json => (clean === undefined ? toJson(value) : mapStrings(toJson(value), clean));
  const output = json(given.output);
  const refusal = isError ? undefined : await checkOutput(tool, output);
  if (refusal !== undefined) return refusal;
  const whole = parts ?? attempt(() => modelPartsOf(tool, output)) ?? [{ type: 'text', text: toText(output) }];
  const shown = clean === undefined ? whole : whole.map((part) => cleaned(part, clean));
  const isPlain = parts === undefined && tool.render?.model === undefined; // else the output is not the text that is read on
  const status: unknown = attempt(() => tool.render?.status?.(output));
  const userView = attempt(() => tool.render?.user?.(output));
  const limit = tool.outputLimit ?? outputLimit ?? outputLimitFor(contextWindow);
  return {
    output,
    modelParts: await boundParts(
      neverEmpty(shown),
      limit,
      isPlain || readBack === undefined ? readBack : { other: readBack },
    ),
    isError,
    ...(isError && { code: 'tool_failed' }),
    ...(input && { input: json(input) as JsonObject }),
    ...(control && { control: { end: { value: json(control.end.value) } } }),
    ...(status !== undefined && { status: String(status) }),
    ...(userView !== undefined && { userView: toJson(userView) }),
  };
}

/** A part with everything cleaned that can be read: texts, names and addresses. What is base64 stays. */
function cleaned(part: ContentPart, clean: (text: string) => string): ContentPart {
  if (part.type === 'text') {
    const { text, resource } = part;
    const named = resource && { resource: { key: clean(resource.key), etag: clean(resource.etag) } };
    return { ...part, text: clean(text), ...named };
  }
  const told = Object.entries(part).map(([name, value]: [string, unknown]) => {
    const isRead = typeof value === 'string' && name !== 'type' && name !== 'data';
    return [name, isRead ? clean(value) : value] as const;
  });
  return Object.fromEntries(told) as object as ContentPart;
}

/** The failure of an output that does not match its schema, or cannot be checked. */
async function checkOutput({ name, output: schema }: Tool, output: Json): Promise<ToolResult | undefined> {
  if (schema === undefined) return undefined;
  try {
    const { issues } = await schema['~standard'].validate(output);
    if (issues === undefined) return undefined;
    const shape = attempt(() => toJsonSchema(schema)) ?? {};
    const { explainIssues } = await import('./invalid-arguments.ts');
    const problem = `"${name}" returned something that does not match its output schema:\n${explainIssues(issues, output, shape)}`;
    return failure('invalid_output', `Tool execution failed: ${problem}`);
  } catch (error) {
    if (!isUtensilError(error, 'schema_unsupported', 'schema_too_costly')) throw error;
    return failure(error.code, `Tool execution failed: the output of "${name}" could not be checked: ${error.message}`);
  }
}

/** A view that fails must not lose the result that it was to show. */
function attempt<Value>(view: () => Value): Value | undefined {
  try {
    return view();
  } catch {
    return undefined;
  }
}
