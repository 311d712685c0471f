import { isUtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { UtensilError } from '@utensil/core';
import type { FileErrorCode } from '@utensil/core/files';
import type { Answer } from './file-system.ts';
import { isLater } from './together.ts';

const refusals: Readonly<Record<string, { readonly code: FileErrorCode; readonly hint: string }>> = {
  ENOSPC: { code: 'ENOSPC', hint: 'Nothing was changed. Make room, then try again.' },
  EDQUOT: {
    code: 'ENOSPC',
    hint: 'Nothing was changed. The quota of this user is used up: make room, then try again.',
  },
  EROFS: { code: 'EROFS', hint: 'Nothing was changed. The disk can only be read.' },
  EACCES: { code: 'EACCES', hint: 'The user of this program may not do that there.' },
  EPERM: { code: 'EACCES', hint: 'The user of this program may not do that there.' },
  ELOOP: { code: 'EACCES', hint: 'A symbolic link is on the way, and none is followed.' },
  EBUSY: { code: 'EBUSY', hint: 'Another program holds it: try again.' },
  ETXTBSY: { code: 'EBUSY', hint: 'Another program runs it: try again.' },
  EMFILE: { code: 'EBUSY', hint: 'Too many files are open: try again.' },
  ENFILE: { code: 'EBUSY', hint: 'Too many files are open: try again.' },
  ENAMETOOLONG: { code: 'ENAMETOOLONG', hint: 'This disk takes no name or path of that length.' },
  EFBIG: { code: 'EFBIG', hint: 'This disk takes no file of that size.' },
  EXDEV: { code: 'EIO', hint: 'Nothing was changed. Part of this directory is on another disk than the rest.' },
  ENOTDIR: { code: 'ENOTDIR', hint: 'The directory of this storage is not one.' },
};

/** The error for what a disk threw: never with a path of the host. */
export function refusal(thrown: unknown, path: string): UtensilError {
  if (isUtensilError(thrown)) return thrown;
  const { code, hint } = refusals[codeOf(thrown) ?? ''] ?? { code: 'EIO', hint: 'The disk failed.' };
  return fileError(code, path, { hint, cause: thrown, retryable: code === 'EBUSY' });
}

/** The error for a path that is there but that no one gets to. */
export function untouchable(path: string): UtensilError {
  return fileError('EACCES', path, { hint: 'It is a symbolic link, a device or reserved, or is behind one.' });
}

/** What a disk throws for a directory that is no longer there. */
export function gone(): Error {
  return Object.assign(new Error('ENOENT: the directory is no longer there'), { code: 'ENOENT' });
}

/** The POSIX code of what was thrown. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
}

/** The result of some work; undefined where it fails with one of these codes. At once, if the work is done at once. */
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
