import type { Message } from '../message.ts';
import type { ModelInfo } from '../model.ts';
import { requestView } from '../view/request-view.ts';
import type { Repeats } from '../view/show-once.ts';

/** What the requests of a run show of its history, each beginning as the one before as far as that can be. */
export interface HistoryView {
  /** For the next request. `shrink`: how often this prompt was refused as too long. */
  next(messages: readonly Message[], shrink: number): Promise<readonly Message[]>;
  /** What the provider counted for the last request. */
  counted(inputTokens: number): void;
}

/** The view of a run on the history, for a model. */
export function createHistoryView({ contextWindow }: ModelInfo, repeats: Repeats | undefined): HistoryView {
  let lastInputTokens: number | undefined;
  let compactedBefore: string | undefined;
  let last = { shrink: 0, at: undefined as string | undefined };
  return {
    counted: (inputTokens) => void (lastInputTokens = inputTokens),
    async next(messages, shrink) {
      if (shrink > last.shrink) last = { shrink, at: messages.at(-1)?.id };
      const shown = { repeats, contextWindow, lastInputTokens, compactedBefore, shrink, shrunkAt: last.at };
      const view = await requestView(messages, shown);
      ({ compactedBefore } = view);
      return view.messages;
    },
  };
}
