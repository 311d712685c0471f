import { type UtensilError, isUtensilError } from '@utensil/core';
import { abortedError, modelError, modelFailures } from '@utensil/core/provider';
import { words } from './error-context.ts';
import type { ErrorContext } from './error-context.ts';

/** An error with nothing to quote. */
export function errorOf(failure: keyof typeof modelFailures, modelId: string): UtensilError {
  return modelError(modelFailures[failure], { modelId, words });
}

/** Anything that the SDK throws, as an error of ours. Where it cannot be judged, nothing can be loaded any more. */
export async function toError(thrown: unknown, context: ErrorContext): Promise<UtensilError> {
  const { modelId, signal } = context;
  if (signal.aborted) return abortedError(modelId, signal);
  if (isUtensilError(thrown)) return thrown;
  try {
    const { toModelError } = await import('./failures.ts');
    return toModelError(thrown, context);
  } catch {
    return errorOf('unreachable', modelId);
  }
}
