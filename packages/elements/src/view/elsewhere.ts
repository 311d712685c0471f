import type { Message, Question as ThreadQuestion } from '@utensil/core';
import type { CallView, Question } from './call-view.ts';
import { noRun } from './live-run.ts';
import type { LiveRun } from './live-run.ts';
import type { ItemView, MessageView } from './message-view.ts';
import { threadView } from './thread-view.ts';

/** What a thread tells of the run that somebody else has on it. */
export interface StoredRun {
  /** Those of the shown conversation. */
  readonly messages: readonly Message[];
  /** What is asked, as `openQuestions` gives it. */
  readonly questions?: readonly ThreadQuestion[];
}

/** Nothing of the answer is stored yet. */
const nothingYet: MessageView = { key: 'elsewhere', role: 'assistant', items: [], createdAt: 0, isStreaming: true };

/**
 * The run that somebody else has on a thread, such as another tab, as far as the thread tells: its answer so far, the calls that have no
 * result yet, and what they ask. For `live` of `<utensil-thread>`.
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

/** The message that is under way; undefined if it is whole and calls nothing, so that its run is about to end. */
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

/** A call without a result, as its run has it. */
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

/** Where a question comes from, beyond what a view shows of it. */
type PlacedQuestion = Question & Pick<ThreadQuestion, 'path'>;

/** The call of the thread that a question is about, or about what is inside of. */
function outermost({ path, callId }: PlacedQuestion): string {
  return (path?.[0] ?? callId).split('›')[0] ?? '';
}

function isInside({ path, callId }: PlacedQuestion): boolean {
  return path !== undefined || callId.includes('›');
}

const views = new WeakMap<ThreadQuestion, PlacedQuestion>();

/** As a screen has it: the same object for the same question. */
function questionOf(question: ThreadQuestion): PlacedQuestion {
  const known = views.get(question);
  if (known !== undefined) return known;
  const { id: questionId, ...rest } = question;
  const view = { ...rest, questionId };
  views.set(question, view);
  return view;
}
