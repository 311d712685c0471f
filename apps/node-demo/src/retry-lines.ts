import type { ErrorCode, RunEvent } from '@utensil/core';
import type { Look } from './call-lines.ts';
import { plainLine, wrap } from './plain.ts';

/** Facts about the failed turn. */
export interface FailedTurn {
  /** The model that was asked. */
  readonly model: string;
  /** True if part of the turn was printed. */
  readonly isWritten: boolean;
}

/**
 * Reasons of transient failures, in place of their own messages, which tell people what to do although nothing needs
 * doing.
 */
const passing: { readonly [Code in ErrorCode]?: string } = {
  model_rate_limited: 'Too many requests.',
  model_overloaded: 'The model is overloaded.',
  model_unreachable: 'The model cannot be reached.',
  stream_truncated: 'The answer was incomplete.',
};

/** Announces a retry: why and when, and that printed text is void, since it cannot be taken back. */
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
