import { UtensilError } from '../base/errors.ts';

/** Name of a thread: the last id of its key. */
type Name = readonly string[];

const nameOf = (thread: Name): string => `the thread '${thread.at(-1) ?? ''}'`;

export function busy(thread: Name, runId = ''): UtensilError {
  const run = runId === '' ? 'another run' : `the run '${runId}'`;
  const message = `thread_busy: ${run} is at work on ${nameOf(thread)}. Wait for its end, or stop it.`;
  return new UtensilError('thread_busy', message, { retryable: true });
}

/** `owner`: the record that replaced the claim. */
export function replaced(thread: Name, owner: object | undefined): UtensilError {
  return owner === undefined ? deleted(thread.at(-1) ?? '') : taken(`${nameOf(thread)} was taken over by another run`);
}

export function silent(thread: Name): UtensilError {
  return taken(`the claim on ${nameOf(thread)} could not be renewed in time`);
}

export function released(thread: Name): UtensilError {
  return taken(`the claim on ${nameOf(thread)} was released`);
}

export function foreign(thread: Name): UtensilError {
  return taken(`the claim is not one on ${nameOf(thread)}`);
}

function taken(happened: string): UtensilError {
  return new UtensilError('thread_taken', `thread_taken: ${happened}. Nothing more is stored under it.`);
}

/** Another program damages or changes records as often as they are stored again. */
export function unsettled(thread: Name): UtensilError {
  const message = `record_corrupt: records of ${nameOf(thread)} are damaged or changed again and again. Nothing was stored: find the program that does it, then try again.`;
  return new UtensilError('record_corrupt', message, { retryable: true });
}

export function changed(id: string, ifLast: number): UtensilError {
  const message = `thread_changed: the thread '${id}' has other entries after ${ifLast}. Read them, then decide.`;
  return new UtensilError('thread_changed', message, { retryable: true });
}

export function deleted(id: string): UtensilError {
  const message = `thread_deleted: the thread '${id}' was removed. Nothing more is stored in it.`;
  return new UtensilError('thread_deleted', message);
}
