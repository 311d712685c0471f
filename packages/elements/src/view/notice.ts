import { ending, failures, limits } from '../texts/english.ts';
import type { Texts } from '../texts/texts.ts';
import type { LiveRun } from './live-run.ts';
import type { Notice } from './message-view.ts';

type NoticeTexts = Pick<Texts, 'ending' | 'failures' | 'limits'>;

/** Notice about the ending of a run, in English by default; undefined while it runs, or after a normal ending. */
export function noticeOf(
  { status, error, limit }: LiveRun,
  texts: NoticeTexts = { ending, failures, limits },
): Notice | undefined {
  if (status === 'idle' || status === 'running' || status === 'complete') return undefined;
  const words = status === 'limit' ? texts.limits[limit ?? 'steps'] : texts.ending[status];
  const hasFailed = (status === 'error' || status === 'refused') && error !== undefined;
  const text = (hasFailed && status === 'error' ? failureText(error.code, texts) : undefined) ?? words;
  const details = hasFailed && { details: error.message };
  return { type: 'notice', kind: status, text, ...details, canContinue: status !== 'refused' };
}

function failureText(code: string, { failures }: NoticeTexts): string | undefined {
  return (failures as Readonly<Record<string, string>>)[code];
}
