import { callsOf, type Message, type ModelRequest, textOf, type ToolResultPart } from '@utensil/core';
import { label, notUnderstood, type Progress, summary } from './answer.ts';
import { codeSpan } from './fenced.ts';
import { callsFor, type PlannedCall } from './calls.ts';
import { parse } from './parse.ts';

/** A turn: text, or the next calls. */
export type Plan = { readonly text: string } | { readonly calls: readonly PlannedCall[] };

/**
 * The next turn, derived from the messages alone: the program is the user's last message, and the calls since then have
 * been made.
 */
export function plan(request: ModelRequest, examples: readonly string[]): Plan {
  const { messages, parallel } = request;
  const at = messages.findLastIndex(isProgram);
  const text = textOf(messages[at]?.parts ?? []);
  const { commands, problem } = parse(text);
  if (problem !== undefined) return { text: notUnderstood(text, { problem, examples }) };
  const results = resultsOf(messages.slice(at + 1));
  const calls = callsFor(commands, results);
  const progress: Progress = { commands, calls, results };
  const left = calls.slice(results.length);
  if (left.length === 0) return { text: summary(progress) };
  const stopped = obstacle(progress, left, request);
  if (stopped !== undefined) return { text: summary({ ...progress, stopped }) };
  return { calls: nextOf(left, parallel ?? true) };
}

/** The last message may be a note of the run: about its limit, its tools, or a gap in its thread. */
function isProgram({ id, role, createdAt }: Message): boolean {
  return role === 'user' && !(createdAt === 0 && /^note(?:-\d+)?$/.test(id));
}

function resultsOf(messages: readonly Message[]): readonly ToolResultPart[] {
  return messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));
}

/** Reason to make no more calls. */
function obstacle(
  { calls, results }: Progress,
  left: readonly PlannedCall[],
  request: ModelRequest,
): string | undefined {
  const failed = calls[results.findIndex(({ isError }) => isError)];
  if (failed !== undefined) return `I stopped because this failed: ${codeSpan(label(failed.command))}`;
  const offered = new Set(request.tools.map(({ name }) => name));
  const missing = left.find(({ tool }) => !offered.has(tool));
  if (missing !== undefined)
    return `I stopped because the tool "${missing.tool}" is off or missing here, and this needs it: ${codeSpan(label(missing.command))}`;
  return request.toolChoice === 'none' ? 'I stopped because no more tools may be called.' : undefined;
}

/** A change gets its own turn; consecutive reads share one, up to a decisive read. */
function nextOf(left: readonly PlannedCall[], parallel: boolean): readonly PlannedCall[] {
  const firstChange = left.findIndex(({ isRead }) => !isRead);
  const reads = left.slice(0, firstChange === -1 ? left.length : firstChange);
  const firstDecisive = reads.findIndex(({ isDecisive }) => isDecisive);
  const together = firstDecisive === -1 ? reads : reads.slice(0, firstDecisive + 1);
  return together.length > 0 && parallel ? together : left.slice(0, 1);
}

/** Number of calls in a thread so far. */
export function countCalls(messages: readonly Message[]): number {
  return messages.reduce((count, message) => count + callsOf(message).length, 0);
}
