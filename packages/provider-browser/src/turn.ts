import type { FinishReason, ModelPart, ModelRequest, Usage } from '@utensil/core';
import { noUsage } from '@utensil/core';
import { modelError, withSettings } from '@utensil/core/provider';
import type { TurnReader } from '@utensil/core/provider';
import { tooLong } from './errors.ts';
import type { Prompt, PromptChunk, PromptSession } from './prompt-api.ts';
import type { Conversation, Sessions } from './sessions.ts';
import { settings } from './settings.ts';

/** A piece of a turn, or its end. */
export type TurnEvent = { readonly chunk: PromptChunk } | { readonly usage: Usage };

/** One turn that is asked of a session. */
export interface Turn {
  readonly modelId: string;
  readonly sessions: Sessions;
  readonly conversation: Conversation;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
}

/** Asks for a turn. The session is kept where the turn came to its end, and is otherwise ended. */
export async function askTurn(turn: Turn): Promise<AsyncGenerator<TurnEvent, void, undefined>> {
  const { modelId, sessions, conversation, request, signal } = turn;
  const options = await withSettings(promptOptions(request), settings, request);
  const taken = await sessions.take(conversation, signal);
  const { session } = taken;
  const before = usageOf(session);
  const input = await measure(session, taken.news, { ...options, signal }).catch((error: unknown) => {
    session.destroy();
    throw error;
  });
  if (before + input > windowOf(session)) {
    session.destroy();
    throw modelError(tooLong, { modelId });
  }
  return (async function* answer() {
    let text = '';
    let isWhole = false;
    try {
      for await (const chunk of session.promptStreaming([...taken.news], { ...options, signal })) {
        const { type, value } = pieceOf(chunk);
        if (type === 'text') text += value;
        yield { chunk };
      }
      isWhole = !taken.hasOverflown();
      const usage = {
        ...noUsage,
        inputTokens: before + input,
        outputTokens: Math.max(0, usageOf(session) - before - input),
      };
      if (isWhole) sessions.keep(taken, conversation, text);
      yield { usage };
    } finally {
      if (!isWhole) session.destroy();
    }
  })();
}

/** The options of a prompt: those of this vendor unchanged, and the thinking effort. */
function promptOptions({ reasoning, providerOptions }: ModelRequest): object {
  const thinking = { effort: reasoning, includeThoughts: reasoning !== 'none' };
  return { ...(reasoning !== undefined && { thinking }), ...providerOptions };
}

function usageOf({ contextUsage, inputUsage }: PromptSession): number {
  return contextUsage ?? inputUsage ?? 0;
}

function windowOf({ contextWindow, inputQuota }: PromptSession): number {
  return contextWindow ?? inputQuota ?? Infinity;
}

async function measure(session: PromptSession, prompts: readonly Prompt[], options: object): Promise<number> {
  if (session.measureContextUsage !== undefined) return session.measureContextUsage([...prompts], options);
  return (await session.measureInputUsage?.([...prompts], options)) ?? 0;
}

function pieceOf(chunk: PromptChunk): { readonly type: string; readonly value: string } {
  if (typeof chunk === 'string') return { type: 'text', value: chunk };
  return { type: chunk.type, value: typeof chunk.value === 'string' ? chunk.value : '' };
}

/** Reads the events of {@link askTurn}. */
export function turnReader(): TurnReader<TurnEvent> {
  let progress: 'none' | 'begun' | 'whole' = 'none';
  let usage: Usage = noUsage;
  return {
    read(event) {
      if ('usage' in event) {
        ({ usage } = event);
        progress = 'whole';
        return [];
      }
      progress = 'begun';
      const { type, value } = pieceOf(event.chunk);
      if (value === '' || (type !== 'text' && type !== 'thought')) return [];
      return [{ type: type === 'text' ? 'text-delta' : 'reasoning-delta', text: value } satisfies ModelPart];
    },
    progress: () => progress,
    end: () => [{ type: 'finish', reason: 'stop' satisfies FinishReason, usage }],
  };
}
