import { lastTurn } from '../../model/history.ts';
import type { Message } from '../../model/message.ts';
import { whenReady } from '../../base/eventually.ts';
import { loadShrink } from '../later-code.ts';
import { highMark } from './window-limit.ts';
import type { RequestView, RequestViewOptions } from './request-options.ts';
import { createOnceView } from './show-once.ts';

/**
 * The part of a normalized history that one request shows. The history itself is unchanged, and the shown form of a
 * message is the same object in every request. Returns a promise only if something may have to be omitted.
 */
export function requestView(
  messages: readonly Message[],
  options: RequestViewOptions = {},
): RequestView | Promise<RequestView> {
  const { repeats, compactedBefore, shrink = 0, showAll = createOnceView(repeats) } = options;
  if (shrink === 0 && compactedBefore === undefined && fits(messages, options)) {
    return { messages: showAll(messages) };
  }
  return whenReady(loadShrink(), ({ shrunkView }) => shrunkView(messages, options));
}

/** True if it fits even if each character of JSON were a token. */
function fits(messages: readonly Message[], options: RequestViewOptions): boolean {
  const { contextWindow, lastInputTokens = 0, besideTokens = 0 } = options;
  if (contextWindow === undefined) return true;
  const counted = lastInputTokens > 0 ? lastTurn(messages) : 0;
  const known = lastInputTokens > 0 ? lastInputTokens : besideTokens * 4;
  return known + JSON.stringify(messages.slice(Math.max(counted, 0))).length <= highMark(contextWindow, options);
}
