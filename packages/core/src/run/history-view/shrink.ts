// Needed by long threads only; loaded with the first one.

export { compactTo, earlierCompaction } from './store-compaction.ts'; // all are needed together

import type { Message } from '../../model/message.ts';
import { cutAt, placeToCut } from './cut.ts';
import { estimateAll, estimateTokens } from './estimate.ts';
import { omitLargest, resultCharacters } from './omit.ts';
import { highMark } from './window-limit.ts';
import type { RequestView, RequestViewOptions } from './request-options.ts';
import { showOnce } from './show-once.ts';

/** Share of the limit that a compaction leaves, so that many requests pass before the next one. */
const left = 2 / 3;

/** By number of refusals: share of the characters of results to save. */
const savings = [0, 0.5, 0.9];

/** Compacts, omits, then shows once. In this order, no stub refers to a content that was removed. */
export function shrunkView(messages: readonly Message[], options: RequestViewOptions): RequestView {
  const { repeats, summary } = options;
  const cut = Math.max(cutForWindow(messages, options), cutForShrink(messages, options));
  const shown = showOnce(omitted(cutAt(messages, cut, summary), options), repeats);
  const first = cut > 0 ? messages[cut] : undefined;
  return { messages: shown, ...(first !== undefined && { compactedBefore: first.id }) };
}

function cutForWindow(messages: readonly Message[], options: RequestViewOptions): number {
  const { contextWindow, compactedBefore, lastInputTokens, besideTokens = 0, summary } = options;
  const before = Math.max(indexOf(messages, compactedBefore), 0);
  if (contextWindow === undefined) return before;
  const high = highMark(contextWindow, options);
  if (before === 0 && !lastInputTokens) return foldedCut(messages, high, besideTokens);
  const shown = showOnce(cutAt(messages, before, summary));
  const estimate = estimateAll(shown);
  const since = estimateAll(sinceLastTurn(shown));
  const scale = lastInputTokens ? scaleOf(lastInputTokens, estimate - since + besideTokens) : 1;
  const used = lastInputTokens ? lastInputTokens + since * scale : estimate + besideTokens;
  if (used <= high) return before;
  return Math.max(before, placeToCut(messages, Math.max((high * left) / scale - besideTokens, 0)));
}

/** Maximum ratio of counted to estimated tokens: other languages or code may take three times as many. */
function scaleOf(counted: number, estimate: number): number {
  return Math.min(Math.max(counted / Math.max(estimate, 1), 1), 4);
}

/** Messages that were not part of the request that the last turn answered. */
function sinceLastTurn(messages: readonly Message[]): readonly Message[] {
  return messages.slice(
    Math.max(
      messages.findLastIndex(({ role }) => role === 'assistant'),
      0,
    ),
  );
}

/**
 * The cut of a history without other knowledge: computed as if each of its turns had been requested with this function.
 * So it does not move until the rest has grown again.
 */
function foldedCut(messages: readonly Message[], high: number, besideTokens: number): number {
  let cut = 0;
  let shown = showOnce(messages);
  let tokens = besideTokens;
  for (let index = 0; index <= messages.length; index++) {
    const isRequest = index === messages.length || messages[index]?.role === 'assistant';
    if (isRequest && tokens > high) {
      const next = placeToCut(messages.slice(0, index), Math.max(high * left - besideTokens, 0));
      if (next > cut) {
        cut = next;
        shown = showOnce(cutAt(messages, cut));
        tokens = besideTokens + estimateAll(shown.slice(0, shown.length - messages.length + index));
      }
    }
    const message = shown[shown.length - messages.length + index];
    if (message !== undefined) tokens += estimateTokens(message);
  }
  return cut;
}

function cutForShrink(messages: readonly Message[], { shrink = 0, shrunkAt }: RequestViewOptions): number {
  if (shrink < 3) return 0;
  const refused = upTo(messages, shrunkAt);
  return shrink > 3 ? placeToCut(refused, 0) : refused.findLastIndex(({ role }) => role === 'user');
}

/** Only messages of the refused request, so that later requests begin alike. */
function omitted(messages: readonly Message[], options: RequestViewOptions): readonly Message[] {
  const { repeats, shrink = 0, shrunkAt } = options;
  const saving = savings[Math.min(shrink, 2)] ?? 0;
  if (saving === 0) return messages;
  const refused = upTo(messages, shrunkAt);
  const characters = (some: readonly Message[]): number => resultCharacters(showOnce(some, repeats));
  const goal = characters(refused) * (1 - saving);
  let rest = refused;
  // Stubs of an omitted result are shown in full, so one round may not be enough.
  for (let excess = characters(rest) - goal; excess > 0; excess = characters(rest) - goal) {
    const next = omitLargest(rest, excess);
    if (next === rest) break;
    rest = next;
  }
  return [...rest, ...messages.slice(refused.length)];
}

function upTo(messages: readonly Message[], id: string | undefined): readonly Message[] {
  return id === undefined ? messages : messages.slice(0, indexOf(messages, id) + 1);
}

function indexOf(messages: readonly Message[], id: string | undefined): number {
  return id === undefined ? -1 : messages.findIndex((message) => message.id === id);
}
