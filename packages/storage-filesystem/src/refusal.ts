import { isUtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { UtensilError } from '@utensil/core';
import type { FileErrorCode } from '@utensil/core/files';
import type { Answer } from './file-system.ts';
import { isLater } from './together.ts';

const refusals: Readonly<Record<string, { readonly code: FileErrorCode; readonly hint: string }>> = {
  ENOSPC: { code: 'ENOSPC', hint: 'Nothing was changed. Free some space, then try again.' },
  EDQUOT: {
    code: 'ENOSPC',
    hint: 'Nothing was changed. The quota of this user is used up: free some space, then try again.',
  },
  EROFS: { code: 'EROFS', hint: 'Nothing was changed. The disk is read-only.' },
  EACCES: { code: 'EACCES', hint: 'The user of this program has no permission for that.' },
  EPERM: { code: 'EACCES', hint: 'The user of this program has no permission for that.' },
  ELOOP: { code: 'EACCES', hint: 'The path contains a symbolic link, and links are not followed.' },
  EBUSY: { code: 'EBUSY', hint: 'Another program is using it: try again.' },
  ETXTBSY: { code: 'EBUSY', hint: 'It is being executed: try again once it has ended.' },
  EMFILE: { code: 'EBUSY', hint: 'Too many files are open: try again.' },
  ENFILE: { code: 'EBUSY', hint: 'Too many files are open: try again.' },
  ENAMETOOLONG: { code: 'ENAMETOOLONG', hint: 'The name or path is too long for this disk.' },
  EFBIG: { code: 'EFBIG', hint: 'The file is too large for this disk.' },
  EXDEV: { code: 'EIO', hint: 'Nothing was changed. Part of this directory is on another disk.' },
  ENOTDIR: { code: 'ENOTDIR', hint: 'The root of this storage is not a directory.' },
};

/** Converts an error of the disk. The message never contains a host path. */
export function refusal(thrown: unknown, path: string): UtensilError {
  if (isUtensilError(thrown)) return thrown;
  const { code, hint } = refusals[codeOf(thrown) ?? ''] ?? { code: 'EIO', hint: 'The disk failed.' };
  return fileError(code, path, { hint, cause: thrown, retryable: code === 'EBUSY' });
}

/** Error for a path that exists but is inaccessible. */
export function untouchable(path: string): UtensilError {
  return fileError('EACCES', path, { hint: 'It is a symbolic link, a device or a reserved name, or is behind one.' });
}

/** The error that a disk throws for a missing directory. */
export function gone(): Error {
  return Object.assign(new Error('ENOENT: the directory is no longer there'), { code: 'ENOENT' });
}

/** POSIX code of an error. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
}

/** Runs an operation; undefined if it fails with one of these codes. Synchronous if the operation is. */
export function unless<Result>(work: () => Answer<Result>, ...codes: readonly string[]): Answer<Result | undefined> {
  const absent = (error: unknown): undefined => {
    if (!codes.includes(codeOf(error) ?? '')) throw error;
  };
  try {
    const result = work();
    return isLater(result) ? result.catch(absent) : result;
  } catch (error) {
    return absent(error);
  }
}
