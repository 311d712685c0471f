import { isUtensilError } from '../../base/errors.ts';
import { isPromise, whenReady } from '../../base/eventually.ts';
import type { Eventually } from '../../base/eventually.ts';
import { refused } from '../../call/prepare.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import type { ToolCallPart } from '../../model/message.ts';
import { preparationFailure } from '../../tool/result.ts';
import { loadAnswers, loadBackground } from '../later-code.ts';

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
    return refused(call, preparationFailure(error));
  }
}
