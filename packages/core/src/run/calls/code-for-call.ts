import { whenReady } from '../../base/eventually.ts';
import { loadOnce } from '../../base/load-once.ts';
import type { Eventually } from '../../base/eventually.ts';
import type { PreparedCall } from '../../call/prepare.ts';

const questions = loadOnce(() => import('../questions/answers.ts'));
const background = loadOnce(() => import('./background.ts'));

/**
 * Loads the code that may be needed while a call runs. Without it the run would end, and the result be lost: another call
 * of the turn may have a question, and this one may go on in the background.
 */
export function codeFor({ effects, settleDetached, refusal }: PreparedCall): Eventually<unknown> {
  if (refusal !== undefined) return undefined;
  if (settleDetached !== undefined) return whenReady(questions(), background);
  return effects === 'read' ? undefined : questions();
}
