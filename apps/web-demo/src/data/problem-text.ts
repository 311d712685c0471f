import { isUtensilError, messageOf } from '@utensil/core';

/** What went wrong, with what to do, for people. */
export function problemText(error: unknown): string {
  if (isUtensilError(error, 'ENOSPC', 'EDQUOT')) {
    return `There is no more room: ${messageOf(error)} Nothing was lost. Remove files or conversations, empty the trash, or let the browser keep more for this site.`;
  }
  return messageOf(error);
}
