import { UtensilError } from '../base/errors.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { StoredRecord } from '../records/content.ts';

const nameOf = (thread: RecordKey): string => `the thread '${thread.at(-1) ?? ''}'`;

export function busy(thread: RecordKey, runId = ''): UtensilError {
  const message = `thread_busy: the run '${runId}' is at work on ${nameOf(thread)}. Wait for its end, or stop it.`;
  return new UtensilError('thread_busy', message, { retryable: true });
}

/** `owner`: the record that stands where the claim's was. */
export function replaced(thread: RecordKey, owner: StoredRecord | undefined): UtensilError {
  return taken(`${nameOf(thread)} was ${owner === undefined ? 'removed' : 'taken over by another run'}`);
}

export function silent(thread: RecordKey): UtensilError {
  return taken(`the claim on ${nameOf(thread)} could not be renewed in time`);
}

export function released(thread: RecordKey): UtensilError {
  return taken(`the claim on ${nameOf(thread)} was released`);
}

export function foreign(thread: RecordKey): UtensilError {
  return taken(`the claim is not one on ${nameOf(thread)}`);
}

function taken(happened: string): UtensilError {
  return new UtensilError('thread_taken', `thread_taken: ${happened}. Nothing more is stored under it.`);
}
