import type { ErrorCode, Limit, RunStatus } from '@utensil/core';
import type { LiveRun } from './live-run.ts';
import type { Notice } from './message-view.ts';

const limits: Readonly<Record<Limit, string>> = {
  steps: 'This is as many steps as one answer may take.',
  time: 'The time for this answer is over.',
  tokens: 'This is as many tokens as one answer may take.',
  cost: 'This is as much as one answer may cost.',
  repeats: 'The model only repeated itself, and was stopped.',
  'output-tokens': 'The model reached the longest answer that it can give.',
};

const endings: Readonly<Record<Exclude<RunStatus, 'complete' | 'limit'>, string>> = {
  aborted: 'You stopped this answer.',
  stopped: 'The answer was stopped after this step.',
  refused: 'The model refused to answer.',
  error: 'Something went wrong. Try again.',
  'needs-approval': 'A call has to be approved before this goes on.',
  'needs-input': 'An answer is needed before this goes on.',
};

const noRoom = 'There is no room left to store this conversation. Make some, then continue.';

/** Failures that a person can do something about. */
const failures: { readonly [Code in ErrorCode]?: string } = {
  missing_api_key: 'The service needs a key. Enter one, then continue.',
  model_unauthorized: 'The service does not accept your key. Check it, then continue.',
  model_not_found: 'The service has no such model. Choose another one, then continue.',
  model_rate_limited: 'The service has had too many requests, or your quota is used up. Wait a little, then continue.',
  model_overloaded: 'The service is overloaded. Wait a little, then continue.',
  model_unreachable: 'The service cannot be reached. Check your connection, then continue.',
  model_request_invalid: 'The service did not accept the request. Choose another model, or change what you ask.',
  model_failed: 'The service failed. Try again in a moment.',
  prompt_too_long: 'The conversation is too long for this model. Start a new one, or choose another model.',
  stream_truncated: 'The service broke off in the middle of its answer. What it said is kept: continue, or ask again.',
  ENOSPC: noRoom,
  EDQUOT: noRoom,
};

/** What a person should know of how a run ended; undefined where it runs, or ended as it should. */
export function noticeOf({ status, error, limit }: LiveRun): Notice | undefined {
  if (status === 'idle' || status === 'running' || status === 'complete') return undefined;
  const words = status === 'limit' ? limits[limit ?? 'steps'] : endings[status];
  const hasFailed = (status === 'error' || status === 'refused') && error !== undefined;
  const text = hasFailed && status === 'error' ? (failures[error.code] ?? words) : words;
  const details = hasFailed && { details: error.message };
  return { type: 'notice', kind: status, text, ...details, canContinue: status !== 'refused' };
}
