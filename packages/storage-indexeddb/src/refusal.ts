import { isUtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { UtensilError } from '@utensil/core';
import type { FileErrorCode } from '@utensil/core/files';

interface Refusal {
  readonly code: FileErrorCode;
  readonly hint: string;
}

/** The name of the error for a database that others keep from being opened. */
export const blockedError = 'BlockedError';

/** The name of the error for a platform without IndexedDB. */
export const missingError = 'NotSupportedError';

/** By the name of what was thrown. */
const refusals: Readonly<Record<string, Refusal>> = {
  QuotaExceededError: {
    code: 'ENOSPC',
    hint: 'Nothing was changed. The browser gives this site no more room: remove something, then try again.',
  },
  [blockedError]: {
    code: 'EBUSY',
    hint: 'Other tabs still use an older version of the stored data: close them, then try again.',
  },
  VersionError: {
    code: 'EIO',
    hint: 'The stored data is of a newer version of this app: reload the page, or update the app.',
  },
  NotFoundError: {
    code: 'EIO',
    hint: 'The database of that name has other contents: give the storage a database of its own.',
  },
  SecurityError: {
    code: 'EACCES',
    hint: 'The browser lets this page store nothing: allow it to keep data, or open it in a window of its own.',
  },
  [missingError]: {
    code: 'EIO',
    hint: 'There is no IndexedDB here, as in some private windows: use another window, or another storage.',
  },
};

/** The error for what IndexedDB threw. */
export function refusal(thrown: unknown, path: string): UtensilError {
  if (isUtensilError(thrown)) return thrown;
  const known = refusals[nameOfError(thrown)];
  const { code, hint } = known ?? { code: 'EIO', hint: 'The database of the browser failed: try again, or reload.' };
  return fileError(code, path, { hint, cause: thrown, retryable: code === 'EBUSY' });
}

/** True if a connection is of no use any more, although nobody closed it. */
export function isLost(thrown: unknown): boolean {
  return ['InvalidStateError', 'UnknownError'].includes(nameOfError(thrown));
}

/** True if nothing was done because there is no room for all of it. */
export function isQuotaExceeded(thrown: unknown): boolean {
  return nameOfError(thrown) === 'QuotaExceededError';
}

/** True if this only says that something else has failed. */
export function isAborted(thrown: unknown): boolean {
  return nameOfError(thrown) === 'AbortError';
}

function nameOfError(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : '';
}
