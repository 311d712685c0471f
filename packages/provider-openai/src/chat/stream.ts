import type { FinishReason, ModelPart, SourcePart, Usage } from '@utensil/core';
import { type TurnReader, reportedError } from '@utensil/core/provider';
import { noUsage } from '@utensil/core';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Asked } from '../calls.ts';
import { chatUsage } from '../usage.ts';
import type { VendorError } from '../failures/vendor-error.ts';
import { imagesIn, sourcesIn } from './extras.ts';
import { type Slots, addCall, endCalls, tellWhole } from './slots.ts';

/** What compatible servers add to a chunk. */
type Chunk = ChatCompletionChunk & { readonly error?: VendorError | null };
type Delta = Partial<ChatCompletionChunk.Choice.Delta> & {
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly annotations?: unknown;
  readonly images?: unknown;
};

interface Turn {
  readonly calls: Slots;
  /** Pages that were named already. */
  readonly cited: Set<string>;
  refusal: string;
  /** The vendor's word for it, once the turn has ended. */
  ended: string | undefined;
  usage: Usage;
  hasBegun: boolean;
}

/** Reads the chunks of the Chat Completions API. `newId` is for servers that name no calls. */
export function chunkReader(asked: Asked & { readonly newId: () => string }) {
  const turn: Turn = {
    calls: { ...asked, slots: [], told: 0 },
    cited: new Set(),
    refusal: '',
    ended: undefined,
    usage: noUsage,
    hasBegun: false,
  };
  return {
    read: (chunk) => [...read(chunk, turn)],
    progress: () => (turn.ended !== undefined ? 'whole' : turn.hasBegun ? 'begun' : 'none'),
    end: () => [...end(turn)],
  } satisfies TurnReader<ChatCompletionChunk>;
}

/** The turn is over only here: what it took may come behind its reason. */
function* end(turn: Turn): Generator<ModelPart> {
  yield* endCalls(turn.calls, false); // of a server that says the reason first
  yield {
    type: 'finish',
    reason: reasonOf(turn),
    usage: turn.usage,
    ...(turn.refusal !== '' && { detail: turn.refusal }),
  };
}

function* read({ choices, usage, error }: Chunk, turn: Turn): Generator<ModelPart> {
  turn.hasBegun = true;
  if (error) throw reportedError(error);
  if (usage) turn.usage = chatUsage(usage);
  const [choice] = choices ?? [];
  if (choice === undefined) return;
  yield* readDelta(choice.delta ?? {}, turn);
  if (!choice.finish_reason) return;
  turn.ended = choice.finish_reason;
  yield* endCalls(turn.calls, turn.ended === 'length' || turn.ended === 'content_filter');
}

function* readDelta(delta: Delta, turn: Turn): Generator<ModelPart> {
  const reasoning = delta.reasoning_content || delta.reasoning;
  if (reasoning || delta.content || delta.refusal) yield* tellWhole(turn.calls);
  if (reasoning) yield { type: 'reasoning-delta', text: reasoning };
  if (delta.content) yield { type: 'text-delta', text: delta.content };
  if (delta.refusal) {
    turn.refusal += delta.refusal;
    yield { type: 'text-delta', text: delta.refusal };
  }
  yield* freshSources(delta.annotations, turn.cited);
  yield* imagesIn(delta.images);
  for (const call of delta.tool_calls ?? []) yield* addCall(call, turn.calls);
}

function freshSources(annotations: unknown, cited: Set<string>): readonly SourcePart[] {
  const fresh = sourcesIn(annotations).filter(({ url }, index, all) => {
    const isFirst = all.findIndex((each) => each.url === url) === index;
    return isFirst && !cited.has(url);
  });
  for (const { url } of fresh) cited.add(url);
  return fresh;
}

function reasonOf({ ended, calls, refusal }: Turn): FinishReason {
  if (ended === 'length') return 'length';
  if (ended === 'content_filter') return 'content-filter';
  if (calls.slots.length > 0) return 'tool-calls';
  if (ended === 'error') return 'error';
  return refusal === '' ? 'stop' : 'refusal';
}
