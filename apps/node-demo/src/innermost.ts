import type { RunEvent } from '@utensil/core';

/** What an event is about, however deep the run is in which it happened. */
export function innermost(event: RunEvent): RunEvent {
  return event.type === 'sub-run' ? innermost(event.event) : event;
}

/** Identifies the call of an event: runs inside runs may use the same call ids. */
export function callKey({ runId, callId }: { readonly runId: string; readonly callId: string }): string {
  return `${runId} ${callId}`;
}
