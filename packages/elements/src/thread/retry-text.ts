import type { Texts } from '../texts/texts.ts';
import type { RetryView } from '../view/index.ts';

/** Why a turn failed, and what is done about it. `left`: until the next attempt, in milliseconds. */
export function retryText({ code, waitMs, model }: RetryView, left: number, { retries, thread }: Texts): string {
  const why = (retries as Readonly<Record<string, string>>)[code] ?? retries.other;
  if (model !== undefined) return `${why} ${thread.asksOther(model)}`;
  const seconds = Math.ceil(Math.min(left, waitMs) / 1_000); // the clock of whoever runs it may be ahead
  return `${why} ${seconds <= 0 ? thread.retries : thread.retriesIn(seconds * 1_000)}`;
}
