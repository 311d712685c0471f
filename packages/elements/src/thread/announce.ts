import type { Texts } from '../texts/texts.ts';
import type { LiveRun, Notice, RetryView, Rows } from '../view/index.ts';
import { wordsOf } from './facts.ts';
import { retryText } from './retry-text.ts';

const longest = 400;

/**
 * Screen reader announcements: each complete turn, each question, the first retry of each attempt, and the end of a
 * run.
 */
export function announcementOf(
  before: LiveRun,
  live: LiveRun,
  { rows, notice, texts: all }: { readonly rows: Rows; readonly notice: Notice | undefined; readonly texts: Texts },
): string | undefined {
  const { thread: texts } = all;
  const retry = newRetry(before, live);
  if (retry !== undefined) return retryText(retry, retry.until - Date.now(), all);
  const asked = live.questions.find((question) => !before.questions.includes(question));
  if (asked !== undefined) return texts.asks(asked.title);
  const isEnding =
    before.status === 'running' &&
    live.status !== 'running' &&
    before.runId === live.runId &&
    before.fence === live.fence;
  if (!isEnding) return undefined;
  const last = rows.at(rows.length - 1);
  const words = last === undefined ? '' : wordsOf([last]);
  const said = words.length > longest ? `${words.slice(0, longest)}…` : words;
  return [texts.said(said), notice?.text ?? ''].filter((each) => each !== '').join(' ');
}

/** A new retry, unless its failed attempt was already announced. */
function newRetry(before: LiveRun, { messages }: LiveRun): RetryView | undefined {
  const [last, known] = [messages.at(-1), before.messages.at(-1)];
  return last?.key === known?.key && last?.retry?.attempt === known?.retry?.attempt ? undefined : last?.retry;
}
