import { addUsage } from '@utensil/core';
import type { Message, RunEvent, ToolResultPart } from '@utensil/core';
import { atRest, callAfter, changeCall, isCallEvent, leftOpen, newCall, questionOf } from './fold-call.ts';
import type { CallEvent, CallKey } from './fold-call.ts';
import {
  addCall,
  addProviderResult,
  addToOpen,
  begin,
  beginAgain,
  changeIn,
  closeOpen,
  settle,
  store,
} from './fold-message.ts';
import { isSaid, sayingAfter } from './fold-saying.ts';
import { answered, lateResultsIn } from './items.ts';
import { outcomeOf } from './call-view.ts';
import type { CallView, Question } from './call-view.ts';
import type { LiveRun } from './live-run.ts';
import { withProviderResult } from './provider-result.ts';

/** Maximum depth of nested runs to show. */
const deepest = 32;

/**
 * The live view of a run after one more event. Starts with `noRun`; repeated events and those of other runs are
 * ignored. Adding text copies none.
 *
 * @example
 * ```ts
 * import { createRegistry, emptySettings, resolveToolset, run } from '@utensil/core';
 * import { scriptedModel } from '@utensil/core/testing';
 * import { foldRun, noRun } from '@utensil/elements/view';
 *
 * const toolset = resolveToolset(createRegistry(), emptySettings, {});
 * const { events } = run({ model: scriptedModel([{ text: 'Hello!' }]), toolset, messages: 'Hi' });
 * let live = noRun;
 * for await (const event of events()) live = foldRun(live, event);
 * live.messages.map(({ items }) => items); // [[{ type: 'text', text: 'Hi' }], [{ type: 'text', text: 'Hello!' }]]
 * ```
 */
export function foldRun(live: LiveRun, event: RunEvent): LiveRun {
  const { runId, seq, fence = 0 } = event;
  const isKnown = fence < (live.fence ?? 0) || (fence === (live.fence ?? 0) && seq <= live.seq);
  if (isKnown || (live.runId ?? runId) !== runId) return live;
  return { ...after(live, event), runId, seq, ...(fence > 0 && { fence }) };
}

function after(live: LiveRun, event: RunEvent): LiveRun {
  if (isCallEvent(event)) return afterCall(live, event, { runId: event.runId });
  if (isUnseen(event)) return live;
  switch (event.type) {
    case 'run-start':
      return { ...live, status: 'running' };
    case 'step-start':
      return { ...live, step: event.step, model: event.model.id, messages: begin(live.messages, event) };
    case 'text-delta':
    case 'reasoning-delta':
    case 'source':
    case 'file':
      return { ...live, messages: addToOpen(live.messages, event) };
    case 'provider-result':
      return { ...live, messages: addProviderResult(live.messages, event) };
    case 'step-retry':
      return { ...live, messages: beginAgain(live.messages, event, live.model) };
    case 'step-end':
      return afterTurn(live, event);
    case 'message':
      return afterMessage(live, event.message);
    case 'sub-run':
      return afterInside(live, { outer: { callId: event.callId }, event: event.event, depth: 1 });
    case 'limit':
      return { ...live, limit: event.limit };
    case 'error':
      return { ...live, error: event.error, ...(event.error.code === 'record_corrupt' && { damage: event.error }) };
    case 'run-end': {
      const earlierCalls = live.earlierCalls.map(leftOpen);
      return { ...live, status: event.status, messages: settle(live.messages, true), earlierCalls, questions: [] };
    }
  }
}

/** Events without a visible effect. */
type UnseenEvent = Extract<
  RunEvent,
  { type: 'finish' | 'tool-late' | 'tool-unavailable' | 'setting-ignored' | 'tools-changed' }
>;

const unseen: ReadonlySet<string> = new Set<UnseenEvent['type']>([
  'finish',
  'tool-late',
  'tool-unavailable',
  'setting-ignored',
  'tools-changed',
]);

function isUnseen(event: RunEvent): event is UnseenEvent {
  return unseen.has(event.type);
}

/** A successful turn clears earlier failures. */
function afterTurn(live: LiveRun, { reason, usage }: Extract<RunEvent, { type: 'step-end' }>): LiveRun {
  const { error, ...rest } = live;
  const hasFailed = error !== undefined && reason === 'error';
  const next = { ...rest, messages: closeOpen(live.messages), usage: addUsage(live.usage, usage) };
  return hasFailed ? { ...next, error } : next;
}

/** Run of a call event, and the enclosing call of a nested run. */
interface EventPlace {
  readonly runId: string;
  readonly outer?: CallKey;
}

function afterCall(live: LiveRun, told: CallEvent, { runId, outer }: EventPlace): LiveRun {
  const event = withReason(live, told, runId);
  const asked = withQuestion(live, event, runId);
  const isWritten =
    event.type === 'tool-input-start' || event.type === 'tool-input-delta' || event.type === 'tool-call';
  if (outer === undefined && isWritten) return { ...asked, messages: addCall(live.messages, event, runId) };
  const inside = outer && runId; // the run id as part of call keys
  const change = (call: CallView): CallView => callAfter(call, event, runId);
  const changed = changeAnywhere(asked, { callId: event.callId, runId: inside }, change);
  if (changed !== undefined) return changed;
  if (!('name' in event)) return asked;
  const call = change(newCall(event, inside));
  const parentCallId = 'parentCallId' in event ? event.parentCallId : undefined;
  const parent = parentCallId === undefined ? outer : { callId: parentCallId, runId: inside };
  if (parent === undefined) return { ...asked, earlierCalls: [...asked.earlierCalls, call] };
  return changeAnywhere(asked, parent, (made) => ({ ...made, inner: [...made.inner, call] })) ?? asked;
}

/** An event of a nested run, its enclosing call, and its depth. */
interface Inside {
  readonly outer: CallKey;
  readonly event: RunEvent;
  readonly depth: number;
}

function afterInside(live: LiveRun, { outer, event, depth }: Inside): LiveRun {
  const { runId } = event;
  if (depth > deepest) return live;
  if (isCallEvent(event)) return afterCall(live, event, { runId, outer });
  if (event.type === 'step-end') return { ...live, usage: addUsage(live.usage, event.usage) };
  if (event.type === 'provider-result')
    return changeAnywhere(live, { callId: event.callId, runId }, (call) => withProviderResult(call, event)) ?? live;
  if (isSaid(event)) return changeAnywhere(live, outer, (call) => sayingAfter(call, event, runId)) ?? live;
  if (event.type === 'run-end') return afterEndInside(live, outer, runId);
  if (event.type !== 'sub-run') return live;
  return afterInside(live, { outer: { callId: event.callId, runId }, event: event.event, depth: depth + 1 });
}

/** Removes the questions of a nested run that has ended. */
function afterEndInside(live: LiveRun, outer: CallKey, runId: string): LiveRun {
  const asked = { ...live, questions: live.questions.filter((question) => question.runId !== runId) };
  const settled = (call: CallView): CallView => (call.runId === runId ? leftOpen(call) : call);
  return changeAnywhere(asked, outer, (call) => ({ ...call, inner: call.inner.map(settled) })) ?? asked;
}

/** The run with a changed call at any depth; undefined if it is missing. */
function changeAnywhere(live: LiveRun, key: CallKey, change: (call: CallView) => CallView): LiveRun | undefined {
  const messages = changeIn(live.messages, key, change);
  if (messages !== undefined) return { ...live, messages };
  const earlierCalls = changeCall(live.earlierCalls, key, change);
  return earlierCalls && { ...live, earlierCalls };
}

/** Adds the reason that a stored permission does not apply to a question. */
function withReason({ ignored = [] }: LiveRun, event: CallEvent, runId: string): CallEvent {
  if (event.type !== 'approval-request') return event;
  const found = ignored.findLast((each) => each.callId === event.callId && each.runId === runId);
  const asked: CallEvent & Pick<Question, 'ignored'> = { ...event, ...(found && { ignored: found.reason }) };
  return asked;
}

/** Closes a question once its call continues or ends. */
function withQuestion(live: LiveRun, event: CallEvent, runId: string): LiveRun {
  const isAsked = event.type.endsWith('-request') || event.type === 'permission-ignored';
  if (!isAsked && live.questions.length === 0) return live;
  const { callId } = event;
  const isOther = (question: Question): boolean => question.callId !== callId || question.runId !== runId;
  switch (event.type) {
    case 'permission-ignored':
      return { ...live, ignored: [...(live.ignored ?? []), { callId, runId, reason: event.reason }] };
    case 'approval-request':
    case 'input-request':
    case 'recovery-request':
      return { ...live, questions: [...live.questions.filter(isOther), questionOf(event, runId)] };
    case 'approval-answer':
    case 'input-answer':
    case 'recovery-answer':
    case 'tool-start':
    case 'tool-end':
      return { ...live, questions: live.questions.filter(isOther) };
    default:
      return live;
  }
}

function afterMessage(live: LiveRun, message: Message): LiveRun {
  const late = message.role === 'user' ? lateResultsIn(message) : [];
  if (late.length > 0 && late.length === message.parts.length) return late.reduce(withResult, live);
  if (message.role !== 'tool') {
    const messages = store(live.messages, message, live.earlierCalls);
    const own = new Set(message.parts.map((part) => (part.type === 'tool-call' ? part.callId : undefined)));
    return { ...live, messages, earlierCalls: live.earlierCalls.filter(({ callId }) => !own.has(callId)) };
  }
  const results = message.parts.filter((part): part is ToolResultPart => part.type === 'tool-result');
  return results.reduce(withResult, live);
}

function withResult(live: LiveRun, part: ToolResultPart): LiveRun {
  const change = (call: CallView): CallView => ({
    ...atRest(call),
    ...answered(part),
    status: outcomeOf(part),
  });
  const { callId } = part;
  return (
    changeAnywhere(live, { callId }, change) ?? { ...live, earlierCalls: [...live.earlierCalls, change(newCall(part))] }
  );
}
