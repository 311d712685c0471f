import type { ErrorCode } from '../base/errors.ts';
import { createListeners } from '../base/listeners.ts';
import { textOf } from '../model/message.ts';
import { dataLength, isMedia } from '../model/media.ts';
import type { ContentPart } from '../model/message.ts';
import type { RunEvent, ToolEnd } from '../tool/run-event.ts';
import { estimateTokens } from './history-view/estimate.ts';

/** What a call failed with. */
export interface ToolFailure {
  /** As the model saw it. */
  readonly text: string;
  readonly code?: ErrorCode;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** What became of the calls of a tool. */
export interface ToolStatistics {
  readonly name: string;
  /** Those that are answered, whether they ran or not. */
  readonly calls: number;
  /** Those that ended with an error; neither denied, cancelled nor interrupted ones. */
  readonly failures: number;
  /** Those that a policy or the user did not allow. */
  readonly denials: number;
  /** What was mended of inputs before they were valid. */
  readonly repairs: number;
  /** The last failure. It stays when a later call succeeds. */
  readonly lastError?: ToolFailure;
  /** Milliseconds; of calls that ran. */
  readonly duration: { readonly last: number; readonly total: number; readonly max: number };
  /** What the model saw of its results; nothing of calls that tools made. */
  readonly shown: { readonly bytes: number; readonly tokens: number };
}

/** What became of the calls of each tool, over as many runs as one likes. */
export interface ToolStats {
  /** Counts what an event tells; those of runs inside runs too. */
  add(event: RunEvent): void;
  /** Calls the listener after every change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** In the order of their first calls: the same array until something changes. */
  snapshot(): readonly ToolStatistics[];
}

/**
 * Counts what becomes of the calls of each tool: for a settings page that shows what fails, and what costs.
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

/** The statistics with what an event tells; the same array where it tells nothing of a tool. */
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
  const { last, total, max } = tool.duration;
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
    duration: hasRun
      ? { last: durationMs, total: total + durationMs, max: Math.max(max, durationMs) }
      : { last, total, max },
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

/** Of text as UTF-8, and of anything else as it goes over the wire. */
function bytesOf(part: ContentPart): number {
  if (isMedia(part)) return dataLength(part);
  return new TextEncoder().encode(part.type === 'text' ? part.text : JSON.stringify(part)).length;
}
