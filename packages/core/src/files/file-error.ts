import { isUtensilError, UtensilError } from '../base/errors.ts';
import type { ErrorCode } from '../base/errors.ts';

const phrases = {
  ENOENT: 'no such file or directory',
  EEXIST: 'file already exists',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
  EINVAL: 'invalid argument',
  ENAMETOOLONG: 'name too long',
  EILSEQ: 'not valid Unicode text',
  EROFS: 'read-only file system',
  EXDEV: 'on another mount',
  EACCES: 'permission denied',
  EFBIG: 'file too large',
  EDQUOT: 'quota exceeded',
  ENOSPC: 'no space left on device',
  EBUSY: 'resource busy or locked',
  EBADF: 'storage is closed',
  EIO: 'input or output failed',
  ESTALE: 'no longer there',
  ECONFLICT: 'changed meanwhile',
  content_damaged: 'the content is damaged',
} as const satisfies Partial<Record<ErrorCode, string>>;

/** The codes that a file operation can fail with. */
export type FileErrorCode = keyof typeof phrases;

/** What a {@link fileError} says beyond its code and path. */
export interface FileErrorDetails {
  /** One or more whole sentences: what to do. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** True if the same request may succeed later, unchanged. */
  readonly retryable?: boolean;
}

/** An error about a file, worded as everywhere in Utensil: `ENOENT: no such file or directory, '/x'. Nearest: '/y'.` */
export function fileError(
  code: FileErrorCode,
  path: string,
  { hint, ...details }: FileErrorDetails = {},
): UtensilError {
  const sentence = `${code}: ${phrases[code]}, ${quotePath(path)}`;
  return new UtensilError(code, hint === undefined ? sentence : `${sentence}. ${hint}`, { ...details, path });
}

/** What was read; undefined for a content that is damaged, which nothing equals. */
export async function unlessDamaged<Content>(reading: Promise<Content>): Promise<Content | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isUtensilError(error, 'content_damaged')) return undefined;
    throw error;
  }
}

const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A path in quotation marks, safe to show and not endless, whatever it contains. */
export function quotePath(path: string): string {
  const short = path.length > 300 ? `${path.slice(0, 200)}…` : path;
  const escaped = short.replace(unprintable, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
  return `'${escaped}'`;
}
