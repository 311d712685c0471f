import type { RunEventBody } from '@utensil/core';
import { isOver } from './call-view.ts';
import type { CallView } from './call-view.ts';

type SayingEvent = Extract<RunEventBody, { readonly type: 'step-start' | 'step-retry' | 'text-delta' }>;

const longest = 2_000;

/** True if an event of a nested run changes its text. */
export function isSaid<Event extends RunEventBody>(event: Event): event is Event & SayingEvent {
  return event.type === 'text-delta' || event.type === 'step-start' || event.type === 'step-retry';
}

/** A call after text, a turn start or a retry of a nested run; a retry discards the failed attempt. */
export function sayingAfter(call: CallView, event: SayingEvent, runId: string): CallView {
  if (isOver(call)) return call;
  switch (event.type) {
    case 'text-delta':
      return withSaying(call, event.text);
    case 'step-start': {
      const turn = { runId, saying: call.saying ?? '', calls: call.inner.length };
      return { ...withSaying(call, '\n'), turn };
    }
    case 'step-retry':
      return withoutTurn(call, runId);
  }
}

function withSaying(call: CallView, more: string): CallView {
  return { ...call, saying: ((call.saying ?? '') + more).slice(-longest) };
}

/** Removes the calls of a failed turn, none of which has started. */
function withoutTurn(call: CallView, runId: string): CallView {
  const { turn, inner } = call;
  if (turn?.runId !== runId) return call; // another nested run also produces text
  const keepIdentity = inner.filter((made, at) => at < turn.calls || made.runId !== runId);
  return { ...call, saying: turn.saying, inner: keepIdentity };
}
