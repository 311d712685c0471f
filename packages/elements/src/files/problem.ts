import { isUtensilError, messageOf } from '@utensil/core';
import type { Texts } from '../texts/texts.ts';

/** Explains a file error to people, with advice. */
export function problemText(error: unknown, texts: Texts['files']): string {
  if (isUtensilError(error, 'ENOSPC', 'EDQUOT')) return texts.full(messageOf(error));
  if (isUtensilError(error, 'ECONFLICT')) return texts.conflict;
  return messageOf(error);
}
