import { isUtensilError, messageOf } from '@utensil/core';
import type { LiveRun, Notice } from '@utensil/elements/view';
import { currentTexts } from '../texts/texts.ts';
import type { Texts } from '../texts/texts.ts';

/** A problem for people: what happened, and what to do. */
export interface Problem {
  readonly text: string;
  /** The original error message. */
  readonly details?: string;
}

/** Message for an error outside of a run. */
export function problemOf(error: unknown, texts: Texts = currentTexts()): Problem {
  const own = isUtensilError(error) ? (adviceFor(error.code, texts) ?? error.message) : undefined;
  const details = messageOf(error);
  if (own === details) return { text: own };
  return { text: own ?? texts.problems.unexpected, details };
}

/** The same as a single text, for places without room for details. */
export function problemText(error: unknown, texts: Texts = currentTexts()): string {
  return (isUtensilError(error) ? adviceFor(error.code, texts) : undefined) ?? messageOf(error);
}

/** Advice on a failure, if this app knows more than the elements do. */
function adviceFor(code: string, { elements }: Texts): string | undefined {
  return (elements.failures as Readonly<Record<string, string>>)[code];
}

/** Facts of a conversation that explain how it ended. */
interface Standing {
  readonly isRunning: boolean;
  readonly isUnfinished: boolean;
  /** True if a person stopped it, in any tab. */
  readonly wasStopped: boolean;
  /** Reason why the last run could not reach its server, if it was determined. */
  readonly reason: string | undefined;
}

/**
 * Message at the end of a conversation that elements cannot provide: why a server was unreachable, or that the answer
 * was stopped in another tab, or interrupted before the page was opened.
 */
export function endingOf(
  { status, error }: LiveRun,
  { isRunning, isUnfinished, wasStopped, reason }: Standing,
  { chat }: Texts,
): Notice | undefined {
  if (status === 'error' && error !== undefined && reason !== undefined)
    return { type: 'notice', kind: 'error', text: reason, details: error.message, canContinue: true };
  const isAborted = status === 'aborted' && !isRunning; // by a person, or because the browser suspended the page
  if (status !== 'idle' && status !== 'complete' && !isAborted) return undefined;
  if (wasStopped && (isUnfinished || isAborted))
    return { type: 'notice', kind: 'aborted', text: chat.stopped, canContinue: true };
  if (!isUnfinished) return undefined;
  return { type: 'notice', kind: 'interrupted', text: chat.interrupted, canContinue: true };
}
