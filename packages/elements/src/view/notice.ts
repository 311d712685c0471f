import { ending, failures, limits } from '../texts/english.ts';
import type { Texts } from '../texts/texts.ts';
import type { LiveRun } from './live-run.ts';
import type { Notice } from './message-view.ts';

type NoticeTexts = Pick<Texts, 'ending' | 'failures' | 'limits'>;

/**
 * Notice about the ending of a run, in English by default; undefined while it runs, or after a normal ending of an
 * undamaged conversation.
 */
export function noticeOf(
  { status, error, limit, damage }: LiveRun,
  texts: NoticeTexts = { ending, failures, limits },
): Notice | undefined {
  const kind = status === 'complete' ? damage && 'damaged' : status;
  if (kind === undefined || kind === 'idle' || kind === 'running') return undefined;
  const words = kind === 'limit' ? texts.limits[limit ?? 'steps'] : texts.ending[kind];
  const problem = kind === 'error' || kind === 'refused' ? error : damage;
  const text = (kind === 'error' && problem && failureText(problem.code, texts)) || words;
  const details = problem && { details: problem.message };
  return { type: 'notice', kind, text, ...details, canContinue: kind !== 'refused' && kind !== 'damaged' };
}

function failureText(code: string, { failures }: NoticeTexts): string | undefined {
  return (failures as Readonly<Record<string, string>>)[code];
}
