import type { JsonObject } from '../base/json.ts';
import type { ContentPart } from '../model/message.ts';
import type { ExplicitResult, ToolResult } from '../tool/result.ts';
import { boundParts } from '../tool/bounded-parts.ts';
import { failure } from '../tool/result.ts';
import type { Tool } from '../tool/tool.ts';
import { redactedJson, redactedParts } from './redacted.ts';
import { toText } from './render.ts';
import { outputLimitOf } from './output-limit.ts';
import type { OutputLimits } from './output-limit.ts';

/** Appended to each receipt, for the model. */
const receiptText =
  'This call goes on in the background. Its result comes later, in a message of its own: go on with something else, or ' +
  'end your turn. Do not call the tool again to look for it.';

/**
 * Receipt of a call that continues in the background. Not an output of the tool, so it is neither validated nor
 * rendered as one.
 */
export async function receiptOf(
  tool: Tool,
  { output, parts, input, detached }: Partial<ExplicitResult>,
  limits: OutputLimits,
): Promise<ToolResult> {
  if (tool.settle === undefined) {
    const problem = `"${tool.name}" returned \`detached\`, but has no \`settle\` that could wait for the result.`;
    return failure('tool_failed', `Tool execution failed: ${problem} What it has begun may still take effect.`);
  }
  const told = output === undefined ? null : redactedJson(output, limits);
  const text: readonly ContentPart[] = told === null ? [] : [{ type: 'text', text: toText(told) }];
  const shown = parts === undefined ? text : redactedParts(parts, limits);
  const bounded = shown.length === 0 ? [] : boundParts(shown, outputLimitOf(tool, limits), limits.readBack);
  return {
    output: told,
    modelParts: withReceipt(bounded),
    status: 'In the background',
    isError: false,
    ...(input && { input: redactedJson(input, limits) as JsonObject }),
    detached: redactedJson(detached, limits),
  };
}

function withReceipt(parts: readonly ContentPart[]): readonly ContentPart[] {
  const last = parts.at(-1);
  if (last?.type !== 'text') return [...parts, { type: 'text', text: receiptText }];
  return [...parts.slice(0, -1), { ...last, text: `${last.text}\n\n${receiptText}` }];
}
