import { toJson } from './json.ts';

/** All error codes: lower_snake for our own, POSIX names for files. */
export const errorCodes = [
  // Tools and calls
  'invalid_tool',
  'tool_exists',
  'schema_unsupported',
  'schema_too_costly',
  'unknown_tool',
  'invalid_json',
  'invalid_input',
  'invalid_output',
  'tool_failed',
  'tool_timeout',
  'tool_cancelled',
  'tool_interrupted',
  'tool_denied',
  'tool_changed',
  'approval_pending',
  'call_repeated',
  'next_called_twice',
  // Sign-in to servers
  'sign_in_needed',
  'sign_in_failed',
  // Settings, records, threads, bundles
  'invalid_option',
  'invalid_limit',
  'settings_corrupt',
  'settings_newer',
  'settings_unsaved',
  'record_corrupt',
  'thread_deleted',
  'recovery_incomplete',
  'thread_busy',
  'thread_taken',
  'thread_changed',
  'entry_exists',
  'question_closed',
  'answer_forbidden',
  'bundle_corrupt',
  'bundle_newer',
  // Models and runs
  'missing_api_key',
  'model_unauthorized',
  'model_not_found',
  'model_request_invalid',
  'model_rate_limited',
  'model_overloaded',
  'model_unreachable',
  'model_failed',
  'model_refused',
  'prompt_too_long',
  'tools_unsupported',
  'stream_truncated',
  'aborted',
  'run_ended',
  'run_failed',
  'code_unavailable',
  // Fetching
  'fetch_blocked',
  'fetch_failed',
  'fetch_timeout',
  'fetch_too_large',
  // Files: https://pubs.opengroup.org/onlinepubs/9799919799/functions/V2_chap02.html#tag_16_03
  'ENOENT',
  'EEXIST',
  'EISDIR',
  'ENOTDIR',
  'ENOTEMPTY',
  'EINVAL',
  'ENAMETOOLONG',
  'EILSEQ',
  'EROFS',
  'EXDEV',
  'EACCES',
  'EFBIG',
  'EDQUOT',
  'ENOSPC',
  'EBUSY',
  'EBADF',
  'EIO',
  'ESTALE',
  'ECONFLICT',
  'content_damaged',
  // Text edits
  'string_not_found',
  'string_not_unique',
  'invalid_line',
  'binary_file',
] as const;

/** One of {@link errorCodes}. */
export type ErrorCode = (typeof errorCodes)[number];

/** Details of an error, beyond its code and message. */
export interface ErrorDetails {
  readonly cause?: unknown;
  /** The file concerned, as the caller's path. Never a host path. */
  readonly path?: string;
  /** The lines concerned (from 1), for text edits; for `invalid_line`, the first and last valid line. */
  readonly lines?: readonly number[];
  /** Number of places concerned, of which `lines` may be only the first. */
  readonly count?: number;
  /** True if the same request may succeed later, unchanged. */
  readonly retryable?: boolean;
  /** Delay requested by the server before that, in milliseconds. */
  readonly retryAfterMs?: number;
}

/**
 * The one error class: `code` for programs, `message` for people (what happened, and what to do).
 *
 * @example
 * ```ts
 * import { UtensilError, isUtensilError } from '@utensil/core';
 *
 * try {
 *   throw new UtensilError('missing_api_key', 'No API key: set ANTHROPIC_API_KEY.');
 * } catch (error) {
 *   if (isUtensilError(error, 'missing_api_key')) console.log(error.message);
 * }
 * ```
 */
export class UtensilError extends Error {
  override readonly name = 'UtensilError';
  readonly code: ErrorCode;
  readonly path: string | undefined;
  readonly lines: readonly number[] | undefined;
  readonly count: number | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.path = details.path;
    this.lines = details.lines;
    this.count = details.count;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/**
 * True if `error` is a `UtensilError` (from any copy of this package) with one of `codes`, or with any code if none are
 * given.
 */
export function isUtensilError(error: unknown, ...codes: readonly ErrorCode[]): error is UtensilError {
  try {
    if (!(error instanceof Error) || error.name !== 'UtensilError' || !('code' in error)) return false;
    return codes.length === 0 || codes.some((code) => code === error.code);
  } catch {
    return false; // a hostile proxy cannot even be inspected
  }
}

/** The message of a thrown value. Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    const { message, name }: { readonly message?: unknown; readonly name?: unknown } =
      thrown instanceof Error ? thrown : {};
    if (message !== undefined) return String(message || name);
    return typeof thrown === 'object' ? JSON.stringify(toJson(thrown)) : String(thrown);
  } catch {
    return 'something that cannot be shown';
  }
}
