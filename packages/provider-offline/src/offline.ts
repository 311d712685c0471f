import type { Model, ModelPart, ModelRequest } from '@utensil/core';
import { abortedError } from '@utensil/core/provider';
import { noUsage } from '@utensil/core';
import { usualExamples } from './answer.ts';
import type { PlannedCall } from './calls.ts';
import { countCalls, plan } from './plan.ts';

export interface OfflineOptions {
  /** Examples to suggest after a message without commands. Default: three; empty if an app shows its own. */
  readonly examples?: readonly string[];
}

/**
 * Creates a model without a language model: it understands the commands of `parse`, makes real calls of the tools
 * `filesystem`, `memory` and `javascript`, and summarizes the results. It needs no key and no network, and keeps no
 * state.
 *
 * @example
 * ```ts
 * import { createFiles, createRegistry, emptySettings, resolveToolset, run } from '@utensil/core';
 * import { offline } from '@utensil/provider-offline';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { filesystemTool } from '@utensil/tool-filesystem';
 *
 * const host = { files: createFiles(memoryStorage()) };
 * const toolset = resolveToolset(createRegistry([filesystemTool]), emptySettings, host);
 * const { result } = run({ model: offline(), toolset, messages: 'write todo.md: buy milk then list' });
 * console.log((await result).text);
 * ```
 */
export function offline({ examples = usualExamples }: OfflineOptions = {}): Model {
  return {
    info: { api: 'offline', id: 'offline', price: { input: 0, output: 0 } },
    async *stream(request, { signal }) {
      for (const part of partsOf(request, examples)) {
        if (signal.aborted) throw abortedError('offline', signal);
        yield part;
      }
    },
  };
}

function* partsOf(request: ModelRequest, examples: readonly string[]): Generator<ModelPart> {
  const turn = plan(request, examples);
  if ('text' in turn) {
    for (const text of fragments(turn.text)) yield { type: 'text-delta', text };
    yield { type: 'finish', reason: 'stop', usage: noUsage };
    return;
  }
  const earlier = countCalls(request.messages);
  for (const [index, call] of turn.calls.entries()) yield* callParts(call, `offline-${earlier + index + 1}`);
  yield { type: 'finish', reason: 'tool-calls', usage: noUsage };
}

function* callParts({ tool: name, input }: PlannedCall, callId: string): Generator<ModelPart> {
  yield { type: 'tool-input-start', callId, name };
  for (const delta of fragments(JSON.stringify(input))) yield { type: 'tool-input-delta', callId, delta };
  yield { type: 'tool-call', callId, name, input, executedBy: 'us' };
}

/** Splits a text into pieces, like a stream, without splitting characters. */
function fragments(text: string): readonly string[] {
  return text.match(/.{1,16}/gsu) ?? [];
}
