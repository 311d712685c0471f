import type { Message, Question as ThreadQuestion } from '@utensil/core';
import type { CallView, Question } from './call-view.ts';
import { noRun } from './live-run.ts';
import type { LiveRun } from './live-run.ts';
import type { ItemView, MessageView } from './message-view.ts';
import { threadView } from './thread-view.ts';

/** Stored state of another owner's run. */
export interface StoredRun {
  /** Messages of the shown conversation. */
  readonly messages: readonly Message[];
  /** Open questions, from `openQuestions`. */
  readonly questions?: readonly ThreadQuestion[];
}

/** Placeholder until part of the answer is stored. */
const nothingYet: MessageView = { key: 'elsewhere', role: 'assistant', items: [], createdAt: 0, isStreaming: true };

/**
 * The run of another owner of a thread, such as another tab, from stored data: its answer so far, calls without
 * results, and their questions. For `live` of `<utensil-thread>`.
 *
 * @example
 * ```ts
 * import { messagesOf, openQuestions } from '@utensil/core';
 * import type { Thread } from '@utensil/core';
 * import { liveElsewhere, noRun } from '@utensil/elements/view';
 * import type { LiveRun } from '@utensil/elements/view';
 *
 * async function look(thread: Thread): Promise<LiveRun> {
 *   const owner = await thread.owner?.();
 *   if (owner === undefined) return noRun;
 *   return liveElsewhere({ messages: await messagesOf(thread), questions: await openQuestions(thread) });
 * }
 * ```
 */
export function liveElsewhere({ messages, questions = [] }: StoredRun): LiveRun {
  const from = messages.findLastIndex(({ role }) => role !== 'tool');
  const [last] = threadView(messages.slice(Math.max(0, from))).messages;
  const asked = questions.map(questionOf);
  const view = last && underWay(last, asked);
  return { ...noRun, status: 'running', messages: view === undefined ? [] : [view], questions: asked };
}

/** The message in progress; undefined if it is complete and calls nothing, so that its run is about to end. */
function underWay(last: MessageView, questions: readonly Question[]): MessageView | undefined {
  const calls = last.items.flatMap((item) => (item.type === 'call' ? [item.call] : []));
  const isWritten = last.message?.incomplete === true;
  if (last.role === 'user') return nothingYet;
  if (!isWritten && calls.length === 0) return undefined;
  if (!isWritten && calls.every(({ status }) => status !== 'left')) return nothingYet;
  const items = last.items.flatMap((item): readonly ItemView[] => {
    if (item.type === 'notice') return [];
    return [item.type === 'call' ? { type: 'call', call: goingOn(item.call, questions) } : item];
  });
  return { ...last, items, ...(isWritten && { isStreaming: true }) };
}

/** A call without a result, as running. */
function goingOn(call: CallView, questions: readonly Question[]): CallView {
  if (call.status !== 'left') return call;
  const own = questions.find((question) => outermost(question) === call.callId && !isInside(question));
  if (own !== undefined) return { ...call, status: 'asking', question: own };
  const inside = questions.filter((question) => outermost(question) === call.callId).map(insideCall);
  return { ...call, status: 'running', inner: [...call.inner, ...inside] };
}

function insideCall(question: Question): CallView {
  const { callId, runId, name, title, input } = question;
  return { callId, runId, name, title, input, status: 'asking', question, inner: [] };
}

/** Origin of a question, which a view does not show. */
type PlacedQuestion = Question & Pick<ThreadQuestion, 'path'>;

/** The call of the thread that a question is about, directly or through nested calls. */
function outermost({ path, callId }: PlacedQuestion): string {
  return (path?.[0] ?? callId).split('›')[0] ?? '';
}

function isInside({ path, callId }: PlacedQuestion): boolean {
  return path !== undefined || callId.includes('›');
}

const views = new WeakMap<ThreadQuestion, PlacedQuestion>();

/** View of a question: the same object for the same question. */
function questionOf(question: ThreadQuestion): PlacedQuestion {
  const known = views.get(question);
  if (known !== undefined) return known;
  const { id: questionId, ...rest } = question;
  const view = { ...rest, questionId };
  views.set(question, view);
  return view;
}
