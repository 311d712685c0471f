import { isUtensilError } from '../../base/errors.ts';
import { isPromise, whenReady } from '../../base/eventually.ts';
import type { Eventually } from '../../base/eventually.ts';
import { refused } from '../../call/prepare.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import type { ToolCallPart } from '../../model/message.ts';
import { failure } from '../../tool/result.ts';
import { problemOf } from '../loop/drive.ts';
import { loadAnswers, loadBackground } from '../later-code.ts';
import type { RunContext } from '../run-context.ts';
import type { Background } from './background.ts';

/** The background calls of a run, which has loaded their code: before such a call was executed, or when it began with one. */
export function backgroundOf(run: RunContext): Background {
  const { createBackground } = loadBackground() as Code;
  return createBackground(run, (error) => run.feed({ type: 'failed', problem: problemOf(error) }));
}

type Code = Awaited<ReturnType<typeof loadBackground>>;

/**
 * Loads the code that may be needed while a call runs. Without it the run would end, and the result be lost: another call
 * of the turn may have a question, and this one may go on in the background.
 */
export function codeFor({ effects, settleDetached, refusal }: PreparedCall): Eventually<unknown> {
  if (refusal !== undefined) return undefined;
  if (settleDetached !== undefined) return whenReady(loadAnswers(), loadBackground);
  return effects === 'read' ? undefined : loadAnswers();
}

/**
 * A call whose code is loaded, as soon as it is prepared. A new call whose code cannot be loaded is refused; a stored one
 * may have begun, and is left for the next run.
 */
export async function withCodeFor(
  call: ToolCallPart,
  preparing: Eventually<PreparedCall>,
  isStored: boolean,
): Promise<PreparedCall> {
  try {
    const ready = await preparing;
    const code = codeFor(ready);
    if (isPromise(code)) await code;
    return ready;
  } catch (error) {
    if (isStored || !isUtensilError(error, 'code_unavailable')) throw error;
    return refused(call, failure('code_unavailable', `The call was not run: ${error.message}`));
  }
}
