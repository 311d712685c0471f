import { UtensilError } from '../base/errors.ts';

/** The error of a request whose signal fired. */
export function abortedError(modelId: string, { reason }: { readonly reason: unknown }): UtensilError {
  return new UtensilError('aborted', `The request to ${modelId} was aborted.`, { cause: reason });
}
