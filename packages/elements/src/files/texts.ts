import { isUtensilError, messageOf } from '@utensil/core';

/** What went wrong with files, and what to do, for people. */
export function problemText(error: unknown): string {
  if (isUtensilError(error, 'ENOSPC', 'EDQUOT'))
    return `There is no more room: ${messageOf(error)} Nothing was lost. Remove files, or empty the trash, and try again.`;
  if (isUtensilError(error, 'ECONFLICT'))
    return 'The file was changed meanwhile, by somebody else. Nothing was overwritten.';
  return messageOf(error);
}

const size = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** A number of bytes for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${size.format(bytes / 1000)} kB`;
  return `${size.format(bytes / 1_000_000)} MB`;
}

const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time for people, in milliseconds since 1970. */
export function timeText(time: number): string {
  return date.format(time);
}
