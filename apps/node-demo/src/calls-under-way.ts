import type { Run, RunEvent } from '@utensil/core';
import { callKey } from './innermost.ts';
import { plainLine } from './plain.ts';
import type { Row } from './table.ts';

/** A call that runs. */
interface CallUnderWay {
  /** As `run.cancel` names it. */
  readonly path: readonly string[];
  readonly title: string;
}

/** The calls of an answer that run at the moment, in the order in which they began. */
export interface CallsUnderWay {
  add(event: RunEvent): void;
  /** One row each, with the number by which it is cancelled. */
  rows(): readonly Row[];
  /** Cancels the call of a number. The title of the call; undefined if there is none. */
  cancel(run: Pick<Run, 'cancel'>, number: number): string | undefined;
}

/** No call runs yet. */
export function createCallsUnderWay(): CallsUnderWay {
  const calls = new Map<string, CallUnderWay>();

  function note(event: RunEvent, outer: readonly string[]): void {
    if (event.type === 'sub-run') return note(event.event, [...outer, event.callId]);
    if (event.type === 'tool-start') {
      const { callId, title } = event;
      calls.set(callKey(event), { path: [...outer, callId], title: plainLine(title) });
    } else if (event.type === 'tool-end') calls.delete(callKey(event));
    else if (event.type === 'run-end' && outer.length === 0) calls.clear();
  }

  return {
    add: (event) => note(event, []),
    rows: () => [...calls.values()].map(({ title }, index) => [String(index + 1).padStart(3), title]),
    cancel(run, number) {
      const call = [...calls.values()][number - 1];
      return call !== undefined && run.cancel(call.path) ? call.title : undefined;
    },
  };
}
