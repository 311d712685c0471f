import { type UtensilError, abortedError, isUtensilError, modelError, modelFailures } from '@utensil/core';

/** What an error happened to. */
export interface ErrorContext {
  readonly modelId: string;
  readonly signal: AbortSignal;
  /** Whether the response had begun. */
  readonly isStreaming: boolean;
  /** Never shown. */
  readonly apiKey: unknown;
}

/** Where the key and the address come from. */
export const words = { key: 'ANTHROPIC_API_KEY or the option `apiKey`', address: 'the option `baseURL`' };

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
