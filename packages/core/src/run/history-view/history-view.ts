import { whenReady } from '../../base/eventually.ts';
import type { Eventually } from '../../base/eventually.ts';
import type { Message } from '../../model/message.ts';
import { loadShrink } from '../later-code.ts';
import { besideCounter } from './beside.ts';
import type { Beside } from './beside.ts';
import type { RequestViewOptions } from './request-options.ts';
import { requestView } from './request-view.ts';
import { createOnceView } from './show-once.ts';
import type { Repeats } from './show-once.ts';
import type { Compaction, Compactor } from './store-compaction.ts';

/**
 * Determines the part of its history that a run's requests show. Each request begins like the one before, if possible.
 */
export interface HistoryView {
  /** View for the next request. `shrink`: number of times that this prompt was refused as too long. */
  next(messages: readonly Message[], shrink: number, beside: Beside): Eventually<readonly Message[]>;
  /** Records the provider's token count of the last request. */
  counted(inputTokens: number): void;
}

/** Creates the view of a run on its history, for a model. */
export function createHistoryView(compactor: Compactor, repeats: Repeats | undefined): HistoryView {
  const { info } = compactor.model;
  const { contextWindow } = info;
  const { maxOutputTokens = info.maxOutputTokens } = compactor.request;
  const besideTokens = besideCounter();
  const showAll = createOnceView(repeats);
  let lastInputTokens: number | undefined;
  let cut: Partial<Compaction> = {};
  let isFirst = true;
  let isFirstCut = true;
  let last = { shrink: 0, at: undefined as string | undefined };

  /** If an earlier run of the thread last used the same model, its token count and its omissions are still valid. */
  async function goOn(messages: readonly Message[]): Promise<void> {
    const { origin, usage } = messages.findLast(({ role }) => role === 'assistant') ?? {};
    const isSame = origin?.api === info.api && origin.model === info.id;
    if (compactor.thread === undefined || !isSame || !usage || usage.inputTokens === 0) return;
    const leftOut = compactor.thread.compaction();
    if (leftOut !== undefined) {
      if (messages.every(({ id }) => id !== leftOut.before)) return; // omitted on another branch
      const { earlierCompaction } = await loadShrink();
      cut = earlierCompaction(compactor) ?? {};
      isFirstCut = false;
    }
    lastInputTokens = usage.inputTokens;
  }

  /** The current view; a new omission is reported. */
  function view(messages: readonly Message[], shrink: number, beside: Beside): Eventually<readonly Message[]> {
    const options: RequestViewOptions = {
      repeats,
      showAll,
      contextWindow,
      maxOutputTokens,
      besideTokens: contextWindow === undefined ? 0 : besideTokens(beside),
      lastInputTokens,
      shrink,
      shrunkAt: last.at,
    };
    const withCut = cut.compactedBefore === undefined ? options : { ...options, ...cut };
    return whenReady(requestView(messages, withCut), (shown) => {
      const isSame = shown.compactedBefore === undefined || shown.compactedBefore === cut.compactedBefore;
      return isSame ? shown.messages : compacted(messages, options, shown.compactedBefore);
    });
  }

  async function compacted(
    messages: readonly Message[],
    options: RequestViewOptions,
    compactedBefore: string,
  ): Promise<readonly Message[]> {
    const { compactTo, earlierCompaction } = await loadShrink();
    const earlier = isFirstCut ? earlierCompaction(compactor) : undefined;
    isFirstCut = false;
    const known = earlier && (await requestView(messages, { ...options, ...earlier }));
    const before = known?.compactedBefore ?? compactedBefore;
    const previous = (earlier ?? cut).summary;
    cut = before === earlier?.compactedBefore ? earlier : await compactTo(compactor, messages, { before, previous });
    const { lastInputTokens: _, ...fresh } = options; // the count is from before the cut
    return (await requestView(messages, { ...fresh, ...cut })).messages;
  }

  return {
    counted: (inputTokens) => void (lastInputTokens = inputTokens),
    next(messages, shrink, beside) {
      if (shrink > last.shrink) last = { shrink, at: messages.at(-1)?.id };
      const begun = isFirst && contextWindow !== undefined ? goOn(messages) : undefined;
      isFirst = false;
      return whenReady(begun, () => view(messages, shrink, beside));
    },
  };
}
