import { isUtensilError, messageOf } from '@utensil/core';
import type { LiveRun, Notice } from '@utensil/elements/view';
import { currentTexts } from '../texts/texts.ts';
import type { Texts } from '../texts/texts.ts';

/** Something that went wrong, for people: what happened, and what to do. */
export interface Problem {
  readonly text: string;
  /** The words of whatever failed. */
  readonly details?: string;
}

/** What to say of an error that ended no run. */
export function problemOf(error: unknown, texts: Texts = currentTexts()): Problem {
  const own = isUtensilError(error) ? (adviceFor(error.code, texts) ?? error.message) : undefined;
  const details = messageOf(error);
  if (own === details) return { text: own };
  return { text: own ?? texts.problems.unexpected, details };
}

/** The same in one text, for places that have no room for details. */
export function problemText(error: unknown, texts: Texts = currentTexts()): string {
  return (isUtensilError(error) ? adviceFor(error.code, texts) : undefined) ?? messageOf(error);
}

/** What a person does about a failure, where this app knows more than the elements do. */
function adviceFor(code: string, { elements }: Texts): string | undefined {
  return (elements.failures as Readonly<Record<string, string>>)[code];
}

/** Facts of a conversation that its end is explained by. */
interface Standing {
  readonly isRunning: boolean;
  readonly isUnfinished: boolean;
  /** A person stopped it, here or in another tab. */
  readonly wasStopped: boolean;
  /** Why the last run could not reach its server, if that was found out. */
  readonly reason: string | undefined;
}

/**
 * What to say at the end of a conversation, where the elements cannot know it: why a server was not reached, and that the
 * conversation was stopped in another tab or interrupted before the page was opened.
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
