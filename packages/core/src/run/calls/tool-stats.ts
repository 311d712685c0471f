import { encoder } from '../../base/text-encoding.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { createListeners } from '../../base/listeners.ts';
import { textOf } from '../../model/message.ts';
import { dataLength, isMedia } from '../../model/media.ts';
import type { ContentPart } from '../../model/message.ts';
import type { RunEvent, ToolEnd } from '../../tool/run-event.ts';
import { estimateTokens } from '../history-view/estimate.ts';

/** Error of a failed call. */
export interface ToolFailure {
  /** Text as the model saw it. */
  readonly text: string;
  readonly code?: ErrorCode;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Statistics of a tool's calls. */
export interface ToolStatistics {
  readonly name: string;
  /** Completed calls, whether they ran or not. */
  readonly calls: number;
  /** Calls that ended with an error; not those denied, cancelled or interrupted. */
  readonly failures: number;
  /** Calls denied by a policy or by the user. */
  readonly denials: number;
  /** Repairs of inputs. */
  readonly repairs: number;
  /** The last failure. Kept when a later call succeeds. */
  readonly lastError?: ToolFailure;
  /** Total duration of executed calls, in milliseconds. */
  readonly duration: { readonly last: number; readonly total: number; readonly max: number };
  /** Total length of results for the model; excludes inner calls. */
  readonly shown: { readonly bytes: number; readonly tokens: number };
}

/** Statistics by tool, over any number of runs. */
export interface ToolStats {
  /** Counts an event, including those of inner runs. */
  add(event: RunEvent): void;
  /** Calls the listener after every change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** In the order of first calls: the same array until something changes. */
  snapshot(): readonly ToolStatistics[];
}

/**
 * Creates statistics of tool calls, for a settings page that shows failures and costs.
 *
 * @example
 * ```ts
 * import { createRegistry, createToolStats, emptySettings, resolveToolset, run } from '@utensil/core';
 * import { scriptedModel } from '@utensil/core/testing';
 *
 * const stats = createToolStats();
 * const { events } = run({
 *   model: scriptedModel([{ calls: [{ name: 'nothing' }] }, { text: 'There is no such tool.' }]),
 *   toolset: resolveToolset(createRegistry(), emptySettings, {}),
 *   messages: 'Hi',
 * });
 * for await (const event of events()) stats.add(event);
 * console.log(stats.snapshot()[0]?.lastError?.text); // Unknown tool: nothing
 * ```
 */
export function createToolStats(before: readonly ToolStatistics[] = []): ToolStats {
  const { notify, subscribe } = createListeners();
  let snapshot = before;
  return {
    add(event) {
      const next = withEvent(snapshot, event);
      if (next === snapshot) return;
      snapshot = Object.freeze(next);
      notify();
    },
    subscribe,
    snapshot: () => snapshot,
  };
}

/** The statistics after an event; the same array if the event concerns no tool. */
function withEvent(all: readonly ToolStatistics[], event: RunEvent): readonly ToolStatistics[] {
  switch (event.type) {
    case 'sub-run':
      return withEvent(all, event.event);
    case 'tool-start': {
      const { name, repairs } = event;
      if (repairs.length === 0) return all;
      return withTool(all, name, (tool) => ({ ...tool, repairs: tool.repairs + repairs.length }));
    }
    case 'tool-end':
      return withTool(all, event.name, (tool) => withEnd(tool, event));
    default:
      return all;
  }
}

function withTool(
  all: readonly ToolStatistics[],
  name: string,
  change: (tool: ToolStatistics) => ToolStatistics,
): readonly ToolStatistics[] {
  const index = all.findIndex((tool) => tool.name === name);
  const before = all[index];
  return before === undefined ? [...all, change(noCalls(name))] : all.with(index, change(before));
}

function noCalls(name: string): ToolStatistics {
  const duration = { last: 0, total: 0, max: 0 };
  return { name, calls: 0, failures: 0, denials: 0, repairs: 0, duration, shown: { bytes: 0, tokens: 0 } };
}

function withEnd(tool: ToolStatistics, { result, durationMs, parentCallId, time }: ToolEnd & RunEvent): ToolStatistics {
  const { code, isError, modelParts, toolFingerprint } = result;
  const { total, max } = tool.duration;
  const hasRun = toolFingerprint !== undefined;
  const isDenied = code === 'tool_denied';
  const isCancelled = code === 'tool_cancelled' || code === 'tool_interrupted';
  const isFailure = isError && !isDenied && !isCancelled;
  const lastError = { text: textOf(modelParts), ...(code !== undefined && { code }), time };
  return {
    ...tool,
    calls: tool.calls + 1,
    failures: tool.failures + (isFailure ? 1 : 0),
    denials: tool.denials + (isDenied ? 1 : 0),
    ...(isFailure && { lastError }),
    duration: hasRun ? { last: durationMs, total: total + durationMs, max: Math.max(max, durationMs) } : tool.duration,
    shown: parentCallId === undefined ? withParts(tool.shown, modelParts) : tool.shown,
  };
}

function withParts({ bytes, tokens }: ToolStatistics['shown'], parts: readonly ContentPart[]): ToolStatistics['shown'] {
  const message = { id: '', role: 'tool', parts, createdAt: 0 } as const;
  return {
    bytes: bytes + parts.reduce((sum, part) => sum + bytesOf(part), 0),
    tokens: tokens + estimateTokens(message),
  };
}

/** Length of text in UTF-8, and of everything else as sent over the wire. */
function bytesOf(part: ContentPart): number {
  if (isMedia(part)) return dataLength(part);
  return encoder.encode(part.type === 'text' ? part.text : JSON.stringify(part)).length;
}
