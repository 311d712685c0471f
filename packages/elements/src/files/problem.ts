import { isUtensilError, messageOf } from '@utensil/core';
import type { Texts } from '../texts/texts.ts';

/** Why something did not work with files, and what to do, for people. */
export function problemText(error: unknown, texts: Texts['files']): string {
  if (isUtensilError(error, 'ENOSPC', 'EDQUOT')) return texts.full(messageOf(error));
  if (isUtensilError(error, 'ECONFLICT')) return texts.conflict;
  return messageOf(error);
}
