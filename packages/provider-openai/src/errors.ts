import { type UtensilError, isUtensilError } from '@utensil/core';
import { abortedError, modelError, modelFailures } from '@utensil/core/provider';
import type { VendorError } from './failures/verdicts.ts';
import type { Attempt, Words } from './attempt.ts';

/** Where the key and the address come from. */
export function wordsWith(key = 'OPENAI_API_KEY or the option `apiKey`'): Words {
  return { key, address: 'the option `baseURL`' };
}

/** An error with nothing to quote. */
export function errorOf(failure: keyof typeof modelFailures, modelId: string, words = wordsWith()): UtensilError {
  return modelError(modelFailures[failure], { modelId, words });
}

/** The stream ended, but the answer had not. */
export function truncatedError(modelId: string, hasBegun: boolean): UtensilError {
  return errorOf(hasBegun ? 'brokenOff' : 'noAnswer', modelId);
}

/** What the vendor reports inside a stream, to be thrown. */
export function reportedError(report: VendorError): Error {
  return Object.assign(new Error('The answer has an error in it.'), { report });
}

/** An error of ours from anything that the SDK throws. Where it cannot be judged, nothing can be loaded any more. */
export async function toError(thrown: unknown, attempt: Attempt): Promise<UtensilError> {
  const { modelId, signal, words } = attempt;
  if (signal.aborted) return abortedError(modelId, signal);
  if (isUtensilError(thrown)) return thrown;
  try {
    const { toModelError } = await import('./failures.ts');
    return toModelError(thrown, attempt);
  } catch {
    return errorOf('unreachable', modelId, words);
  }
}
