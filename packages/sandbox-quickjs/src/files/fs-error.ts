import { isUtensilError, UtensilError } from '@utensil/core';
import type { ErrorCode } from '@utensil/core';

/** Operations of `fs`, as named in its errors. */
export type Operation = 'read' | 'write' | 'mkdir' | 'readdir' | 'unlink' | 'rmdir' | 'rename' | 'stat';

/** Error messages in POSIX wording, as in Node.js. */
const texts: Readonly<Partial<Record<ErrorCode, (path: string, operation: Operation) => string>>> = {
  ENOENT: (path) => `no such file or directory, '${path}'`,
  EEXIST: (path) => `file already exists, '${path}'`,
  EISDIR: (path) => `illegal operation on a directory, '${path}'`,
  ENOTDIR: (path) => `not a directory, '${path}'`,
  ENOTEMPTY: (path) => `directory not empty, '${path}'`,
  EROFS: (path, operation) => `read-only file system, ${operation} '${path}'`,
};

/** Creates an `fs` error for the calling code. */
export function fsError(code: ErrorCode, path: string, operation: Operation): UtensilError {
  const text = texts[code]?.(path, operation);
  return new UtensilError(code, `${code}: ${text ?? `${operation} '${path}'`}`, { path });
}

/** Converts an error of the files to an `fs` error. */
export function toFsError(error: unknown, path: string, operation: Operation): unknown {
  if (!isUtensilError(error)) return error;
  if (texts[error.code] !== undefined) return fsError(error.code, error.path ?? path, operation);
  const text = error.message.startsWith(`${error.code}:`) ? error.message : `${error.code}: ${error.message}`;
  return new UtensilError(error.code, text, { path });
}
