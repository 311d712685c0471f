import type { Texts } from '../texts/texts.ts';
import type { LiveRun, Notice, Rows } from '../view/index.ts';
import { wordsOf } from './facts.ts';
import { retryText } from './retry-text.ts';

const longest = 400;

/** What people are told who do not see the screen: a turn when it is whole, what is asked, and how a run ended. */
export function announcementOf(
  before: LiveRun,
  live: LiveRun,
  { rows, notice, texts: all }: { readonly rows: Rows; readonly notice: Notice | undefined; readonly texts: Texts },
): string | undefined {
  const { thread: texts } = all;
  const retry = live.messages.at(-1)?.retry;
  if (retry !== undefined && retry !== before.messages.at(-1)?.retry) return retryText(retry, all);
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
