import { messageOf } from '../../base/errors.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import type { QuestionAnswer } from '../../thread/question.ts';
import type { Principal } from '../../tool/capability.ts';
import type { RunEventBody } from '../../tool/run-event.ts';
import { grantOf } from './grants.ts';
import type { Grants } from './grants.ts';
import type { CallUnderReview } from './judge.ts';

/** Stores a grant for later calls; for this run or guard only, if it cannot be stored. Never throws. */
export type Remember = (
  answer: QuestionAnswer,
  call: Pick<CallUnderReview, 'callId'> & RememberedCall,
  options: { readonly eachTime: boolean },
) => Promise<void>;

interface RememberedCall {
  readonly ready: Pick<PreparedCall, 'name' | 'toolFingerprint'>;
}

/** Stores of grants. */
export interface RememberSetup {
  /** Grants of the run or the guard. */
  readonly own: Grants;
  readonly stored: Grants | undefined;
  readonly principal: Principal | undefined;
  emit(body: RunEventBody): void;
}

export function createRemember({ own, stored, principal, emit }: RememberSetup): Remember {
  return async (answer, { callId, ready: { name, toolFingerprint } }, { eachTime }) => {
    if (answer !== 'run' && answer !== 'always') return;
    const ignored = (reason: string): void => emit({ type: 'permission-ignored', callId, name, reason });
    if (eachTime) return ignored('it counts for this call alone: such calls are asked about each time');
    const grant = grantOf({ name, toolFingerprint, principal });
    if (answer === 'run') return own.add(grant);
    try {
      if (stored === undefined) throw new Error('there are no `grants` to keep it in');
      await stored.add(grant);
    } catch (error) {
      await own.add(grant); // the user has decided: only later runs ask again
      ignored(`it cannot be kept: ${messageOf(error)}`);
    }
  };
}
