import type { UtensilError } from '@utensil/core';
import { modelError, modelFailures } from '@utensil/core/provider';
import { words } from './attempt.ts';
import type { Attempt } from './attempt.ts';

/** An error with nothing to quote. */
export function errorOf(failure: keyof typeof modelFailures, modelId: string): UtensilError {
  return modelError(modelFailures[failure], { modelId, words });
}

/** The stream ended, but the answer had not. */
export function truncatedError(modelId: string, hasBegun = false): UtensilError {
  return errorOf(hasBegun ? 'brokenOff' : 'noAnswer', modelId);
}

/** What the vendor reports inside a stream, to be thrown. */
export function reportedError(report: unknown): Error {
  return Object.assign(new Error('The answer has an error in it.'), { report });
}

/** An error of ours from anything that the SDK throws. Where it cannot be judged, nothing can be loaded any more. */
export async function toError(thrown: unknown, attempt: Attempt): Promise<UtensilError> {
  try {
    const { toModelError } = await import('./failures.ts');
    return toModelError(thrown, attempt);
  } catch {
    return errorOf('unreachable', attempt.modelId);
  }
}
