import type { Message } from '../../model/message.ts';
import { requestView } from './request-view.ts';
import type { Repeats } from './show-once.ts';
import type { Compaction, Compactor } from './compaction.ts';

/** What the requests of a run show of its history, each beginning as the one before as far as that can be. */
export interface HistoryView {
  /** For the next request. `shrink`: how often this prompt was refused as too long. */
  next(messages: readonly Message[], shrink: number): Promise<readonly Message[]>;
  /** What the provider counted for the last request. */
  counted(inputTokens: number): void;
}

/** The view of a run on the history, for a model. */
export function createHistoryView(compactor: Compactor, repeats: Repeats | undefined): HistoryView {
  const { contextWindow } = compactor.model.info;
  let lastInputTokens: number | undefined;
  let cut: Partial<Compaction> = {};
  let isFirstCut = true;
  let last = { shrink: 0, at: undefined as string | undefined };
  return {
    counted: (inputTokens) => void (lastInputTokens = inputTokens),
    async next(messages, shrink) {
      if (shrink > last.shrink) last = { shrink, at: messages.at(-1)?.id };
      const options = { repeats, contextWindow, lastInputTokens, shrink, shrunkAt: last.at };
      const view = await requestView(messages, { ...options, ...cut });
      if (view.compactedBefore === undefined || view.compactedBefore === cut.compactedBefore) return view.messages;
      const { compactTo, earlierCompaction } = await import('./compaction.ts');
      const earlier = isFirstCut ? earlierCompaction(compactor) : undefined;
      isFirstCut = false;
      const known = earlier === undefined ? view : await requestView(messages, { ...options, ...earlier });
      const before = known.compactedBefore ?? view.compactedBefore;
      const previous = (earlier ?? cut).summary;
      cut = before === earlier?.compactedBefore ? earlier : await compactTo(compactor, messages, { before, previous });
      const { lastInputTokens: _, ...fresh } = options; // what was counted was before the cut
      return (await requestView(messages, { ...fresh, ...cut })).messages;
    },
  };
}
