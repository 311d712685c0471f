import { createRegistry, defineTool, emptySettings, resolveToolset, noUsage } from '@utensil/core';
import type { Effect, Json, Model, ModelPart, Toolset } from '@utensil/core';
import * as z from 'zod/mini';
import { callAt, finalText, fragments, inputSchema, toolDescription, toolName } from '../run-loop/work.ts';
import type { Input } from '../run-loop/work.ts';

/** The script of a model. */
export interface Playing {
  readonly calls: number;
  /** Called just before the last fragment of a call's arguments. */
  onInput?(): void;
  /** Time that a turn continues after its call, in milliseconds. */
  readonly tailMs?: number;
}

/** A model that makes one call per turn, streamed in fragments, then answers with a text. It stores nothing. */
export function playingModel({ calls, onInput, tailMs = 0 }: Playing): Model {
  let next = 0;
  return {
    info: { api: 'text', id: 'playing' },
    async *stream() {
      const step = next++;
      if (step >= calls) yield* textParts(finalText({ calls }));
      else yield* callParts(step, onInput);
      if (step < calls && tailMs > 0) await pause(tailMs);
      yield { type: 'finish', reason: step < calls ? 'tool-calls' : 'stop', usage: noUsage };
    },
  };
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}

function* textParts(text: string): Generator<ModelPart> {
  for (const piece of fragments(text)) yield { type: 'text-delta', text: piece };
}

function* callParts(step: number, onInput?: () => void): Generator<ModelPart> {
  const { callId, name, text } = callAt(step, { tools: 1 });
  const pieces = fragments(text);
  yield { type: 'tool-input-start', callId, name };
  for (const [index, delta] of pieces.entries()) {
    if (index === pieces.length - 1) onInput?.();
    yield { type: 'tool-input-delta', callId, delta };
  }
  const input = JSON.parse(text) as { readonly [name: string]: Json };
  yield { type: 'tool-call', callId, name, input, executedBy: 'us' };
}

/** The only tool that is called. */
export function toolsetOf(execute: (input: Input) => unknown, effects: Effect = 'read'): Toolset {
  const tool = defineTool({
    name: toolName(0),
    description: toolDescription(0),
    input: z.toJSONSchema(inputSchema()),
    effects,
    execute,
  });
  return resolveToolset(createRegistry([tool]), emptySettings, {});
}
