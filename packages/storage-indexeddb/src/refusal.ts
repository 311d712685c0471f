import { isUtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { UtensilError } from '@utensil/core';
import type { FileErrorCode } from '@utensil/core/files';

interface Refusal {
  readonly code: FileErrorCode;
  readonly hint: string;
}

/** Name of the error for a database whose opening is blocked by others. */
export const blockedError = 'BlockedError';

/** Name of the error for a platform without IndexedDB. */
export const missingError = 'NotSupportedError';

/** Refusals by the name of the thrown error. */
const refusals: Readonly<Record<string, Refusal>> = {
  QuotaExceededError: {
    code: 'ENOSPC',
    hint: "Nothing was changed. The browser's storage quota for this site is used up: remove something, then try again.",
  },
  [blockedError]: {
    code: 'EBUSY',
    hint: 'Other tabs still use an older version of the stored data: close them, then try again.',
  },
  VersionError: {
    code: 'EIO',
    hint: 'The stored data is from a newer version of this app: reload the page, or update the app.',
  },
  NotFoundError: {
    code: 'EIO',
    hint: 'The database of that name belongs to something else: choose another database name.',
  },
  SecurityError: {
    code: 'EACCES',
    hint: 'The browser does not allow this page to store data: change its settings, or open the page in its own window.',
  },
  [missingError]: {
    code: 'EIO',
    hint: 'IndexedDB is unavailable, as in some private windows: use another window, or another storage.',
  },
};

/** Converts an error of IndexedDB. */
export function refusal(thrown: unknown, path: string): UtensilError {
  if (isUtensilError(thrown)) return thrown;
  const known = refusals[nameOfError(thrown)];
  const { code, hint } = known ?? {
    code: 'EIO',
    hint: "The browser's database failed: try again, or reload the page.",
  };
  return fileError(code, path, { hint, cause: thrown, retryable: code === 'EBUSY' });
}

/** True if a connection was lost without being closed by us. */
export function isLost(thrown: unknown): boolean {
  return ['InvalidStateError', 'UnknownError'].includes(nameOfError(thrown));
}

/** True if nothing was written because the quota is exceeded. */
export function isQuotaExceeded(thrown: unknown): boolean {
  return nameOfError(thrown) === 'QuotaExceededError';
}

/** True if the error is only a consequence of another failure. */
export function isAborted(thrown: unknown): boolean {
  return nameOfError(thrown) === 'AbortError';
}

function nameOfError(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : '';
}
