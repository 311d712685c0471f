import type { Message, Run } from '@utensil/core';
import type { OtherOwner } from '@utensil/elements/thread';
import type { Problem } from './advice.ts';
import type { BranchPlace } from './branches.ts';
import { isNewest, isUnfinished } from './shown-branch.ts';
import type { ShownBranch } from './shown-branch.ts';

/** Facts of a conversation; everything that a screen shows is derived from them. */
export interface ConversationFacts {
  readonly branch: ShownBranch;
  readonly ran: StartedRun | undefined;
  readonly isRunning: boolean;
  /** Another tab answers: nothing can be started here until it is done. */
  readonly isAnsweredElsewhere: boolean;
  /** Since when that tab has the thread, and what it asks. */
  readonly owner: OtherOwner | undefined;
  /** An error outside of a run. How the last run ended is told by its events. */
  readonly problem: Problem | undefined;
  /** Why the last run could not reach its server, if that was found out. */
  readonly reason: string | undefined;
  /** The last message of the run that a person stopped last, in any tab. */
  readonly stoppedAt: string | undefined;
}

/** The run under way, or the last one. */
export interface StartedRun {
  readonly run: Run;
  /** The last message of its branch after its end; undefined before. */
  readonly tip: string | undefined;
}

/** What a screen shows of a conversation. */
export interface ConversationState extends Omit<ConversationFacts, 'branch' | 'ran' | 'stoppedAt'> {
  /** The messages of the shown branch. */
  readonly messages: readonly Message[];
  readonly branches: ReadonlyMap<string, BranchPlace>;
  /** The run under way, or the last one if the shown branch ends with it: in another tab, more may have been said since. */
  readonly run: Run | undefined;
  /** The message that was stored last is among the messages. */
  readonly showsNewest: boolean;
  /** It was interrupted or stopped, and can be continued. */
  readonly isUnfinished: boolean;
  /** A person stopped it, here or in another tab. */
  readonly wasStopped: boolean;
}

/** The state that follows from the facts. The run of another branch is left out: its events would be shown among these messages. */
export function stateOf({ branch, ran, stoppedAt, ...facts }: ConversationFacts): ConversationState {
  const { messages, places } = branch;
  return {
    ...facts,
    messages,
    branches: places,
    run: ran !== undefined && (facts.isRunning || messages.at(-1)?.id === ran.tip) ? ran.run : undefined,
    showsNewest: isNewest(branch),
    isUnfinished: !facts.isRunning && !facts.isAnsweredElsewhere && isUnfinished(branch),
    wasStopped: stoppedAt !== undefined && messages.at(-1)?.id === stoppedAt,
  };
}
