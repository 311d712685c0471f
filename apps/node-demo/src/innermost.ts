import type { RunEvent } from '@utensil/core';

/** The event of the innermost run, however deeply nested. */
export function innermost(event: RunEvent): RunEvent {
  return event.type === 'sub-run' ? innermost(event.event) : event;
}

/** Identifies the call of an event across runs, because nested runs may use the same call ids. */
export function callKey({ runId, callId }: { readonly runId: string; readonly callId: string }): string {
  return `${runId} ${callId}`;
}
