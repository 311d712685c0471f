import { isUtensilError, messageOf } from '@utensil/core';

/** What went wrong with files, and what to do, for people. */
export function problemText(error: unknown): string {
  if (isUtensilError(error, 'ENOSPC', 'EDQUOT'))
    return `There is no more room: ${messageOf(error)} Nothing was lost. Remove files, or empty the trash, and try again.`;
  if (isUtensilError(error, 'ECONFLICT'))
    return 'The file was changed meanwhile, by somebody else. Nothing was overwritten.';
  return messageOf(error);
}

const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time for people, in milliseconds since 1970. */
export function timeText(time: number): string {
  return date.format(time);
}
