import type { Texts } from '../texts/texts.ts';
import type { RetryView } from '../view/index.ts';

/** Why a turn failed, and what is done about it. */
export function retryText({ code, waitMs, model }: RetryView, { retries, thread }: Texts): string {
  const why = (retries as Readonly<Record<string, string>>)[code] ?? retries.other;
  if (model !== undefined) return `${why} ${thread.asksOther(model)}`;
  const seconds = Math.round(waitMs / 1_000);
  return `${why} ${seconds === 0 ? thread.retries : thread.retriesIn(seconds * 1_000)}`;
}
