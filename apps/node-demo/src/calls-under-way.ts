import type { Run, RunEvent } from '@utensil/core';
import { callKey } from './innermost.ts';
import { plainLine } from './plain.ts';
import type { Row } from './table.ts';

/** A running call. */
interface CallUnderWay {
  /** Id of the call for `run.cancel`. */
  readonly path: readonly string[];
  readonly title: string;
}

/** Running calls of an answer, in the order in which they began. */
export interface CallsUnderWay {
  add(event: RunEvent): void;
  /** One row per call, with the number that cancels it. */
  rows(): readonly Row[];
  /** Cancels a call by number and returns its title; undefined if there is none. */
  cancel(run: Pick<Run, 'cancel'>, number: number): string | undefined;
}

/** Starts without calls. */
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
