import { isUtensilError, messageOf, UtensilError } from '@utensil/core';

/** Converts a thrown value to an error with a code. */
export function toProblem(error: unknown): UtensilError {
  return isUtensilError(error) ? error : new UtensilError('EIO', messageOf(error), { cause: error });
}
