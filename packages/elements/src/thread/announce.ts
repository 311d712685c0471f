import type { Texts } from '../texts/texts.ts';
import type { LiveRun, Notice, RetryView, Rows } from '../view/index.ts';
import { wordsOf } from './facts.ts';
import { retryText } from './retry-text.ts';

const longest = 400;

/**
 * What people are told who do not see the screen: a turn when it is whole, what is asked, once for each attempt that a turn
 * is asked for again, and how a run ended.
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

/** The turn that is asked for again, unless the attempt that failed is known. */
function newRetry(before: LiveRun, { messages }: LiveRun): RetryView | undefined {
  const [last, known] = [messages.at(-1), before.messages.at(-1)];
  return last?.key === known?.key && last?.retry?.attempt === known?.retry?.attempt ? undefined : last?.retry;
}
