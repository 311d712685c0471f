import type { Message, ProviderResultPart, ToolCallPart, ToolResultPart } from '@utensil/core';
import { ending } from '../texts/english.ts';
import { outcomeOf } from './call-view.ts';
import type { CallResult, CallView } from './call-view.ts';
import type { ItemView, MessageView, Notice } from './message-view.ts';
import { callWithResult, withProviderResult } from './provider-result.ts';

/** Additional state of a call: its result, if any. */
export type ResultOf = (call: ToolCallPart) => Partial<Pick<CallView, 'result' | 'durationMs' | 'inner'>> | undefined;

/** Context of a message. */
export interface Showing {
  readonly resultOf: ResultOf;
  /** True if other messages follow: a call without a result will never get one. */
  readonly isFollowed: boolean;
}

/** View of a stored message. */
export function messageView(message: Message, showing: Showing): MessageView {
  const { id, role, createdAt, origin, usage } = message;
  return {
    key: id,
    id,
    role: role === 'user' ? 'user' : 'assistant',
    items: itemsOf(message, showing),
    createdAt,
    ...(origin && { model: origin.model }),
    ...(usage && { usage }),
    message,
  };
}

/** Parts of a stored message. */
function itemsOf(message: Message, showing: Showing): readonly ItemView[] {
  const items: ItemView[] = [];
  for (const part of message.parts) {
    if (part.type === 'tool-call') items.push({ type: 'call', call: callOf(part, showing) });
    else if (part.type === 'provider-result') addResult(items, part);
    else if (part.type !== 'tool-result' && part.type !== 'late-result') items.push(part);
  }
  if (message.incomplete === true) items.push(interrupted);
  return items;
}

/** Adds a vendor result to its call, or alone if the call is in an earlier message. */
export function addResult(items: ItemView[], part: ProviderResultPart): void {
  const at = items.findLastIndex((item) => item.type === 'call' && item.call.callId === part.callId);
  const known = items[at];
  if (known?.type === 'call') items[at] = { type: 'call', call: withProviderResult(known.call, part) };
  else items.push({ type: 'call', call: callWithResult(part) });
}

const interrupted: Notice = {
  type: 'notice',
  kind: 'interrupted',
  text: ending.interrupted,
  canContinue: true,
};

/** Core tells the model the same. */
const interruptedText =
  'This call has no result: it was interrupted, or nobody answered. It may or may not have taken effect.';

/** For a call that its run left without a result. */
export const noResult: CallResult = {
  isError: true,
  output: interruptedText,
  modelParts: [{ type: 'text', text: interruptedText }],
  code: 'tool_interrupted',
};

function callOf(part: ToolCallPart, { resultOf, isFollowed }: Showing): CallView {
  const { result, durationMs, inner = [] } = resultOf(part) ?? {};
  const shown = result ?? (part.executedBy === 'us' && isFollowed ? noResult : undefined);
  const open = part.executedBy === 'provider' ? 'done' : 'left';
  return {
    ...partOf(part),
    status: shown === undefined ? open : outcomeOf(shown),
    ...(shown && { result: shown }),
    ...(durationMs !== undefined && { durationMs }),
    inner,
  };
}

/** Facts from the part of a call. */
function partOf(
  part: ToolCallPart,
): Pick<CallView, 'callId' | 'name' | 'title' | 'icon' | 'repairs' | 'input' | 'inputText'> {
  const { callId, name, title = name, icon, input, invalidInput, repairs } = part;
  return {
    callId,
    name,
    title,
    ...(icon !== undefined && { icon }),
    ...(invalidInput === undefined ? { input } : { inputText: invalidInput }),
    ...(repairs !== undefined && { repairs }),
  };
}

/** View of a result, stored or from an event. */
export function resultOf({ isError, code, output, modelParts, userView, status }: CallResult): CallResult {
  return {
    isError,
    ...(code !== undefined && { code }),
    output,
    modelParts,
    ...(userView !== undefined && { userView }),
    ...(status !== undefined && { status }),
  };
}

/** Results of background calls, which replace their receipts. */
export function lateResultsIn({ parts }: Pick<Message, 'parts'>): readonly ToolResultPart[] {
  return parts.flatMap((part) => (part.type === 'late-result' ? { ...part, type: 'tool-result' } : []));
}

/** Facts from a stored result. */
export function answered(part: ToolResultPart): Pick<CallView, 'result' | 'durationMs'> {
  return { result: resultOf(part), ...(part.durationMs !== undefined && { durationMs: part.durationMs }) };
}
