import type { Message } from '../../model/message.ts';
import { highMark } from './request-options.ts';
import type { RequestView, RequestViewOptions } from './request-options.ts';
import { createOnceView } from './show-once.ts';

/**
 * What one request shows of a history, which must be arranged. The history itself stays as it is, and what is shown of a
 * message is the same object in request after request. A promise only where something may have to be left out.
 */
export function requestView(
  messages: readonly Message[],
  options: RequestViewOptions = {},
): RequestView | Promise<RequestView> {
  const { repeats, compactedBefore, shrink = 0, showAll = createOnceView(repeats) } = options;
  if (shrink === 0 && compactedBefore === undefined && fits(messages, options)) {
    return { messages: showAll(messages) };
  }
  return import('./shrink.ts').then(({ shrunkView }) => shrunkView(messages, options));
}

/** Whether it surely fits, were each character of JSON a token. */
function fits(messages: readonly Message[], options: RequestViewOptions): boolean {
  const { contextWindow, lastInputTokens = 0, besideTokens = 0 } = options;
  if (contextWindow === undefined) return true;
  const counted = lastInputTokens > 0 ? messages.findLastIndex(({ role }) => role === 'assistant') : 0;
  const known = lastInputTokens > 0 ? lastInputTokens : besideTokens * 4;
  return known + JSON.stringify(messages.slice(Math.max(counted, 0))).length <= highMark(contextWindow, options);
}
