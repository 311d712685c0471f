import type { Texts } from '../texts/texts.ts';
import type { RetryView } from '../view/index.ts';

/** Reason of a failed turn, and the next step. `left`: milliseconds until the next attempt. */
export function retryText({ code, waitMs, model }: RetryView, left: number, { retries, thread }: Texts): string {
  const why = (retries as Readonly<Record<string, string>>)[code] ?? retries.other;
  if (model !== undefined) return `${why} ${thread.asksOther(model)}`;
  const seconds = Math.ceil(Math.min(left, waitMs) / 1_000); // the clock of the other side may be ahead
  return `${why} ${seconds <= 0 ? thread.retries : thread.retriesIn(seconds * 1_000)}`;
}
