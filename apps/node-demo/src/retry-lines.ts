import type { ErrorCode, RunEvent } from '@utensil/core';
import type { Look } from './call-lines.ts';
import { plainLine, wrap } from './plain.ts';

/** What is known of the turn that failed. */
export interface FailedTurn {
  /** The model that was asked. */
  readonly model: string;
  /** Something of it was written. */
  readonly isWritten: boolean;
}

/** What failures mean that pass by themselves: their own messages say what to do, and nothing is to be done. */
const passing: { readonly [Code in ErrorCode]?: string } = {
  model_rate_limited: 'Too many requests.',
  model_overloaded: 'The model is overloaded.',
  model_unreachable: 'The model cannot be reached.',
  stream_truncated: 'The answer broke off.',
};

/** That a turn is asked for again, why and when; and that what was written of it is void, as it cannot be taken back. */
export function retryLines(
  { error, waitMs, model }: Extract<RunEvent, { type: 'step-retry' }>,
  { model: asked, isWritten }: FailedTurn,
  { colors, columns }: Look,
): readonly string[] {
  const why = passing[error.code] ?? plainLine(error.message);
  const what = `⟳ ${why} ${model.id === asked ? tryingAgain(waitMs) : `Asking ${plainLine(model.id)} instead.`}`;
  return [
    ...wrap(what, columns()).map(colors.yellow),
    ...(isWritten ? wrap('What is written above of this answer does not count.', columns()).map(colors.dim) : []),
  ];
}

function tryingAgain(waitMs: number): string {
  return waitMs === 0 ? 'Trying again.' : `Trying again in ${Math.ceil(waitMs / 1_000)} s.`;
}
