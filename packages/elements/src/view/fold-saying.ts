import type { RunEventBody } from '@utensil/core';
import { isOver } from './call-view.ts';
import type { CallView } from './call-view.ts';

type SayingEvent = Extract<RunEventBody, { readonly type: 'step-start' | 'step-retry' | 'text-delta' }>;

const longest = 2_000;

/** True if an event of a run inside a call changes what is said in it. */
export function isSaid<Event extends RunEventBody>(event: Event): event is Event & SayingEvent {
  return event.type === 'text-delta' || event.type === 'step-start' || event.type === 'step-retry';
}

/** A call after a run inside it said more, or begins a turn, or begins it again: then what had come of it is void. */
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

/** None of the calls of a turn that failed has begun. */
function withoutTurn(call: CallView, runId: string): CallView {
  const { turn, inner } = call;
  if (turn?.runId !== runId) return call; // another run inside speaks, too
  const kept = inner.filter((made, at) => at < turn.calls || made.runId !== runId);
  return { ...call, saying: turn.saying, inner: kept };
}
