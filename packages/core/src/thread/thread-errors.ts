import { UtensilError } from '../base/errors.ts';
import type { ErrorCode, ErrorDetails } from '../base/errors.ts';

/** Name of a thread: the last id of its key. */
type Name = readonly string[];

const nameOf = (thread: Name): string => `the thread '${thread.at(-1) ?? ''}'`;

function threadError(code: ErrorCode, text: string, details?: ErrorDetails): UtensilError {
  return new UtensilError(code, `${code}: ${text}`, details);
}

export function busy(thread: Name, runId = ''): UtensilError {
  const run = runId === '' ? 'another run' : `the run '${runId}'`;
  const text = `${run} is at work on ${nameOf(thread)}. Wait for its end, or stop it.`;
  return threadError('thread_busy', text, { retryable: true });
}

/** `owner`: the record that replaced the claim. */
export function replaced(thread: Name, owner: object | undefined): UtensilError {
  return owner === undefined ? deleted(thread) : taken(`${nameOf(thread)} was taken over by another run`);
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
  return threadError('thread_taken', `${happened}. Nothing more is stored under it.`);
}

/** Another program damages or changes records as often as they are stored again. */
export function unsettled(thread: Name): UtensilError {
  const text = `records of ${nameOf(thread)} are damaged or changed again and again. Nothing was stored: find the program that does it, then try again.`;
  return threadError('record_corrupt', text, { retryable: true });
}

export function changed(thread: Name, ifLast: number): UtensilError {
  const text = `${nameOf(thread)} has other entries after ${ifLast}. Read them, then decide.`;
  return threadError('thread_changed', text, { retryable: true });
}

export function deleted(thread: Name): UtensilError {
  return threadError('thread_deleted', `${nameOf(thread)} was removed. Nothing more is stored in it.`);
}

export function exists(thread: Name, messageId: string): UtensilError {
  const text = `${nameOf(thread)} has a message with the id '${messageId}'. Nothing was stored.`;
  return threadError('entry_exists', text);
}
