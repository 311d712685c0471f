import { noRun, noticeOf } from '@utensil/elements/view';
import type { LiveRun, Notice } from '@utensil/elements/view';
import { isUtensilError, messageOf } from '@utensil/core';
import type { ErrorCode } from '@utensil/core';

/** Something that went wrong, for people: what happened, and what to do. */
export interface Problem {
  readonly text: string;
  /** The words of whatever failed. */
  readonly details?: string;
}

const noRoom =
  'There is no more room for this conversation. Remove files or conversations, empty the trash, or let the browser keep more for this site; then try again.';

/** What a person does about a failure, where this app knows more than the elements do. */
const advice: { readonly [Code in ErrorCode]?: string } = {
  model_unauthorized:
    'The service does not accept your key. Enter another one on the page “Models”, or see with the service what this one may be used for; then continue.',
  model_not_found: 'The service has no such model. Choose another one on the page “Models”, then continue.',
  model_unreachable:
    'The service cannot be reached. See whether you are online, and whether its address on the page “Models” is right; then continue. What was said so far is kept.',
  ENOSPC: noRoom,
  EDQUOT: noRoom,
};

/** What to say of an error that ended no run. */
export function problemOf(error: unknown): Problem {
  const own = isUtensilError(error) ? (advice[error.code] ?? error.message) : undefined;
  const details = messageOf(error);
  if (own === details) return { text: own };
  return { text: own ?? 'Something went wrong. Try again; if it happens again, reload the page.', details };
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

/** What to say at the end of a conversation: how its last run ended, or that it was stopped or interrupted. */
export function endingOf(live: LiveRun, { isRunning, isUnfinished, wasStopped, reason }: Standing): Notice | undefined {
  const isAborted = live.status === 'aborted' && !isRunning; // by a person, or because the browser suspended the page
  const notice = isAborted ? undefined : noticeOf(live);
  const words = live.status === 'error' && live.error !== undefined ? (reason ?? advice[live.error.code]) : undefined;
  if (notice !== undefined) return words === undefined ? notice : { ...notice, text: words };
  if (wasStopped && (isUnfinished || isAborted)) return noticeOf({ ...noRun, status: 'aborted' });
  if (!isUnfinished) return undefined;
  return { type: 'notice', kind: 'interrupted', text: 'This conversation was interrupted.', canContinue: true };
}
