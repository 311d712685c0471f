import { callsOf } from '@utensil/core';
import type { Message, ToolCallPart, ToolResultPart } from '@utensil/core';
import { answered, lateResultsIn, messageView } from './items.ts';
import type { MessageView, ThreadView } from './message-view.ts';
import { same } from './same.ts';

/** A message with its results. */
interface Group {
  readonly message: Message;
  readonly results: Map<string, ToolResultPart>;
}

/** Source of a view. */
interface Made extends Group {
  readonly isFollowed: boolean;
}

const madeOf = new WeakMap<MessageView, Made>();

/**
 * View of a thread's messages, with results attached to their calls. Parts unchanged since `previous` keep their
 * identity.
 *
 * @example
 * ```ts
 * import type { Message } from '@utensil/core';
 * import { threadView } from '@utensil/elements/view';
 *
 * const hello: Message = { id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }], createdAt: 0 };
 * const before = threadView([hello]);
 * const after = threadView([hello, { ...hello, id: '2', role: 'assistant' }], before);
 * if (before.messages[0] !== after.messages[0]) throw new Error('unexpected');
 * ```
 */
export function threadView(messages: readonly Message[], previous?: ThreadView): ThreadView {
  const groups = groupsOf(messages);
  const views = groups.map((group, index) => {
    const place = previous?.places.get(group.message.id);
    const known = place === undefined ? undefined : previous?.messages[place];
    return viewOf({ ...group, isFollowed: index < groups.length - 1 && hasOpenCall(group) }, known);
  });
  const isSame =
    views.length === previous?.messages.length && views.every((view, at) => view === previous.messages[at]);
  return isSame
    ? previous
    : { messages: views, places: new Map(groups.map(({ message }, index) => [message.id, index])) };
}

function viewOf(group: Made, known: MessageView | undefined): MessageView {
  const before = known && madeOf.get(known);
  if (known !== undefined && before !== undefined && isSame(before, group)) return known;
  const { message, results, isFollowed } = group;
  const resultOf = ({ callId }: ToolCallPart): ReturnType<typeof answered> | undefined => {
    const result = results.get(callId);
    return result && answered(result);
  };
  const view = messageView(message, { resultOf, isFollowed });
  madeOf.set(view, group);
  return view;
}

function hasOpenCall({ message, results }: Group): boolean {
  return callsOf(message).some(({ callId }) => !results.has(callId));
}

function isSame(before: Made, now: Made): boolean {
  if (before.isFollowed !== now.isFollowed || before.results.size !== now.results.size) return false;
  if (!same(before.message, now.message)) return false;
  for (const [callId, result] of now.results) if (!same(before.results.get(callId), result)) return false;
  return true;
}

/** Messages other than results, each with the results of its calls. */
function groupsOf(messages: readonly Message[]): readonly Group[] {
  const groups = new Map<string, Group>();
  const callers = new Map<string, Group>(); // the last message that made a call with this id
  for (const message of messages) {
    if (message.role === 'tool') {
      for (const part of message.parts)
        if (part.type === 'tool-result') callers.get(part.callId)?.results.set(part.callId, part);
      continue;
    }
    const late = lateResultsIn(message);
    for (const part of late) callers.get(part.callId)?.results.set(part.callId, part);
    if (late.length === message.parts.length && late.length > 0) continue;
    const group = { message, results: groups.get(message.id)?.results ?? new Map<string, ToolResultPart>() };
    groups.set(message.id, group); // a later message with the same id replaces it in place
    for (const part of message.parts) if (part.type === 'tool-call') callers.set(part.callId, group);
  }
  return [...groups.values()];
}
