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

/** Error codes of file operations. */
export type FileErrorCode = keyof typeof phrases;

/** Optional parts of a {@link fileError}. */
export interface FileErrorDetails {
  /** Advice, in one or more sentences. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** True if the same request may succeed later. */
  readonly retryable?: boolean;
}

/** A file error in the wording used everywhere in Utensil: `ENOENT: no such file or directory, '/x'. Nearest: '/y'.` */
export function fileError(
  code: FileErrorCode,
  path: string,
  { hint, ...details }: FileErrorDetails = {},
): UtensilError {
  const sentence = `${code}: ${phrases[code]}, ${quotePath(path)}`;
  return new UtensilError(code, hint === undefined ? sentence : `${sentence}. ${hint}`, { ...details, path });
}

/** The content; undefined if it is damaged, so that it equals no other. */
export async function unlessDamaged<Content>(reading: Promise<Content>): Promise<Content | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isUtensilError(error, 'content_damaged')) return undefined;
    throw error;
  }
}

const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A quoted path, safe to display and of bounded length whatever it contains. */
export function quotePath(path: string): string {
  const short = path.length > 300 ? `${path.slice(0, 200)}…` : path;
  const escaped = short.replace(unprintable, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
  return `'${escaped}'`;
}
