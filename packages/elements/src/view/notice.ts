import type { Limit, RunStatus } from '@utensil/core';
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
  aborted: 'The answer was stopped.',
  stopped: 'The answer was stopped after this step.',
  refused: 'The model refused to answer.',
  error: 'Something went wrong.',
  'needs-approval': 'A call has to be approved before this goes on.',
  'needs-input': 'An answer is needed before this goes on.',
};

/** What a person should know of how a run ended; undefined where it runs, or ended as it should. */
export function noticeOf({ status, error, limit }: LiveRun): Notice | undefined {
  if (status === 'idle' || status === 'running' || status === 'complete') return undefined;
  const words = status === 'limit' ? limits[limit ?? 'steps'] : endings[status];
  const says =
    (status === 'error' || status === 'refused') && error !== undefined ? `${words} ${error.message}` : words;
  return { type: 'notice', kind: status, text: says, canContinue: status !== 'refused' };
}
