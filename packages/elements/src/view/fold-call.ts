import type { RunEventBody } from '@utensil/core';
import { isOver, outcomeOf } from './call-view.ts';
import type { CallView, Question } from './call-view.ts';
import { resultOf } from './items.ts';

type EventOf<Type extends RunEventBody['type']> = Extract<RunEventBody, { readonly type: Type }>;

/** Events that ask about a call. */
export type AskingEvent = EventOf<'approval-request' | 'input-request' | 'recovery-request'>;

/** Events of one call. */
export type CallEvent =
  | AskingEvent
  | EventOf<
      | 'tool-input-start'
      | 'tool-input-delta'
      | 'tool-call'
      | 'tool-start'
      | 'tool-progress'
      | 'tool-end'
      | 'permission-ignored'
      | 'approval-answer'
      | 'input-answer'
      | 'recovery-answer'
    >;

const callEvents: ReadonlySet<string> = new Set<CallEvent['type']>([
  'tool-input-start',
  'tool-input-delta',
  'tool-call',
  'tool-start',
  'tool-progress',
  'tool-end',
  'permission-ignored',
  'approval-request',
  'approval-answer',
  'input-request',
  'input-answer',
  'recovery-request',
  'recovery-answer',
]);

export function isCallEvent(event: RunEventBody): event is CallEvent {
  return callEvents.has(event.type);
}

/** The question of an event. */
export function questionOf(event: AskingEvent & Pick<Question, 'ignored'>, runId: string): Question {
  const { questionId, callId, name, title, input, effects } = event;
  const kind = event.type === 'approval-request' ? 'approval' : event.type === 'input-request' ? 'input' : 'recovery';
  const { ignored, reason, answers, taintedBy } = event;
  const { preview } = event.type === 'approval-request' ? event : {};
  const more = {
    ...(preview !== undefined && { preview }),
    ...(ignored !== undefined && { ignored }),
    ...(reason !== undefined && { reason }),
    ...(answers !== undefined && { answers }),
  };
  const tainted = taintedBy !== undefined && { taintedBy };
  return { kind, questionId, callId, runId, name, title, input, effects, ...more, ...tainted };
}

/** A call known only from an event. */
export function newCall(event: { readonly callId: string; readonly name: string }, runId?: string): CallView {
  const { callId, name } = event;
  return { callId, ...(runId !== undefined && { runId }), name, title: name, status: 'input', inner: [] };
}

/** A call after an event. */
export function callAfter(call: CallView, event: CallEvent, runId: string): CallView {
  if (isOver(call)) return call; // late events are ignored
  switch (event.type) {
    case 'tool-input-start':
    case 'tool-input-delta':
    case 'tool-call':
      return written(call, event);
    case 'tool-start':
      return started(call, event);
    case 'permission-ignored':
      return call;
    case 'tool-progress':
      return { ...call, progress: event.progress };
    case 'tool-end':
      return ended(call, event);
    case 'approval-request':
    case 'input-request':
    case 'recovery-request':
      return asked(call, event, runId);
    default: {
      const { question: _, ...known } = call;
      return { ...known, status: 'waiting' }; // it may have to wait for its turn
    }
  }
}

function written(call: CallView, event: EventOf<'tool-input-start' | 'tool-input-delta' | 'tool-call'>): CallView {
  if (event.type === 'tool-input-start') return { ...call, inputText: '' };
  if (event.type === 'tool-input-delta')
    return call.status === 'input' ? { ...call, inputText: (call.inputText ?? '') + event.delta } : call;
  const { inputText: _, ...known } = call;
  const { input, invalidInput, executedBy, callId, name } = event;
  const given = invalidInput === undefined ? { input } : { inputText: invalidInput };
  const title = known.title === known.name ? name : known.title;
  return { ...known, callId, name, title, ...given, status: executedBy === 'us' ? 'waiting' : 'done' };
}

function asked(call: CallView, event: AskingEvent, runId: string): CallView {
  const { inputText: _, ...known } = call;
  const { input, title } = event;
  return { ...known, input, title, status: 'asking', question: questionOf(event, runId) };
}

function started(call: CallView, { input, title, icon, repairs }: EventOf<'tool-start'>): CallView {
  const { inputText: _, question: __, ...known } = call;
  const more = { ...(icon !== undefined && { icon }), ...(repairs.length > 0 && { repairs }) };
  return { ...known, input, title, ...more, status: 'running' };
}

/** A call left by its run: without a result, it has no question and no progress. */
export function leftOpen(call: CallView): CallView {
  return { ...atRest(call), inner: call.inner.map(leftOpen), status: isOver(call) ? call.status : 'left' };
}

/** A call without transient state. */
export function atRest({ progress: _, question: __, saying: ___, turn: ____, ...call }: CallView): CallView {
  return call;
}

function ended(call: CallView, { result, durationMs }: EventOf<'tool-end'>): CallView {
  return { ...atRest(call), status: outcomeOf(result), result: resultOf(result), durationMs };
}

/** Key of a call: its id, and the run if that is nested. */
export interface CallKey {
  readonly callId: string;
  readonly runId?: string | undefined;
}

/** Replaces a call anywhere among nested calls. Undefined if it is missing. */
export function changeCall(
  calls: readonly CallView[],
  key: CallKey,
  change: (call: CallView) => CallView,
): readonly CallView[] | undefined {
  const at = calls.findLastIndex(({ callId, runId }) => callId === key.callId && runId === key.runId);
  const own = calls[at];
  if (own !== undefined) return calls.with(at, change(own));
  for (let index = calls.length - 1; index >= 0; index--) {
    const call = calls[index];
    if (call === undefined || call.inner.length === 0) continue;
    const inner = changeCall(call.inner, key, change);
    if (inner !== undefined) return calls.with(index, { ...call, inner });
  }
  return undefined;
}
