import type { Outcome } from './converse.ts';

/** Exit codes of the program. */
export const exitCodes = { answered: 0, failed: 1, wrongUse: 2, denied: 3, interrupted: 130 } as const;

/** The exit code of one answer. */
export function exitCodeOf({ status, wasDenied }: Outcome): number {
  if (status === 'aborted') return exitCodes.interrupted;
  if (status !== 'complete') return exitCodes.failed;
  return wasDenied ? exitCodes.denied : exitCodes.answered;
}

const byGravity: readonly number[] = [exitCodes.interrupted, exitCodes.failed, exitCodes.denied];

/** The exit code of several answers. */
export function gravest(codes: readonly number[]): number {
  return byGravity.find((code) => codes.includes(code)) ?? exitCodes.answered;
}
