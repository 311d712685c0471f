import { whenReady } from '../../base/eventually.ts';
import type { Eventually } from '../../base/eventually.ts';
import type { Message } from '../../model/message.ts';
import { besideCounter } from './beside.ts';
import type { Beside } from './beside.ts';
import type { RequestViewOptions } from './request-options.ts';
import { requestView } from './request-view.ts';
import { createOnceView } from './show-once.ts';
import type { Repeats } from './show-once.ts';
import type { Compaction, Compactor } from './compaction.ts';

/** What the requests of a run show of its history, each beginning as the one before as far as that can be. */
export interface HistoryView {
  /** For the next request. `shrink`: how often this prompt was refused as too long. */
  next(messages: readonly Message[], shrink: number, beside: Beside): Eventually<readonly Message[]>;
  /** What the provider counted for the last request. */
  counted(inputTokens: number): void;
}

/** The view of a run on the history, for a model. */
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

  /** If an earlier run of the thread asked the same model last: what was counted then holds, with what was left out then. */
  async function goOn(messages: readonly Message[]): Promise<void> {
    const { origin, usage } = messages.findLast(({ role }) => role === 'assistant') ?? {};
    const isSame = origin?.api === info.api && origin.model === info.id;
    if (compactor.thread === undefined || !isSame || !usage || usage.inputTokens === 0) return;
    const leftOut = compactor.thread.compaction();
    if (leftOut !== undefined) {
      if (messages.every(({ id }) => id !== leftOut.before)) return; // that was on another branch
      const { earlierCompaction } = await import('./compaction.ts');
      cut = earlierCompaction(compactor) ?? {};
      isFirstCut = false;
    }
    lastInputTokens = usage.inputTokens;
  }

  /** The view as it is now; where it leaves something out that the one before did not, that is told. */
  function view(messages: readonly Message[], shrink: number, beside: Beside): Eventually<readonly Message[]> {
    const measure = contextWindow !== undefined && { maxOutputTokens, besideTokens: besideTokens(beside) };
    const options = { repeats, showAll, contextWindow, ...measure, lastInputTokens, shrink, shrunkAt: last.at };
    return whenReady(requestView(messages, { ...options, ...cut }), (shown) => {
      const isSame = shown.compactedBefore === undefined || shown.compactedBefore === cut.compactedBefore;
      return isSame ? shown.messages : compacted(messages, options, shown.compactedBefore);
    });
  }

  async function compacted(
    messages: readonly Message[],
    options: RequestViewOptions,
    compactedBefore: string,
  ): Promise<readonly Message[]> {
    const { compactTo, earlierCompaction } = await import('./compaction.ts');
    const earlier = isFirstCut ? earlierCompaction(compactor) : undefined;
    isFirstCut = false;
    const known = earlier && (await requestView(messages, { ...options, ...earlier }));
    const before = known?.compactedBefore ?? compactedBefore;
    const previous = (earlier ?? cut).summary;
    cut = before === earlier?.compactedBefore ? earlier : await compactTo(compactor, messages, { before, previous });
    const { lastInputTokens: _, ...fresh } = options; // what was counted was before the cut
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
