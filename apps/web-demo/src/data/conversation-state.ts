import type { Message, Run } from '@utensil/core';
import type { OtherOwner } from '@utensil/elements/thread';
import type { Problem } from './advice.ts';
import type { BranchPlace } from './branches.ts';
import { isNewest, isUnfinished } from './shown-branch.ts';
import type { ShownBranch } from './shown-branch.ts';

/** Facts of a conversation, from which everything on the screen is derived. */
export interface ConversationFacts {
  readonly branch: ShownBranch;
  readonly ran: StartedRun | undefined;
  readonly isRunning: boolean;
  /** True if another tab answers: nothing can be started here until it is done. */
  readonly isAnsweredElsewhere: boolean;
  /** When that tab claimed the thread, and its open questions. */
  readonly owner: OtherOwner | undefined;
  /** An error outside of a run. The end of a run is reported by its events. */
  readonly problem: Problem | undefined;
  /** Reason why the last run could not reach its server, if it was determined. */
  readonly reason: string | undefined;
  /** Last message of the run that a person stopped last, in any tab. */
  readonly stoppedAt: string | undefined;
}

/** The current run, or the last one. */
export interface StartedRun {
  readonly run: Run;
  /** Last message of its branch after its end; undefined before. */
  readonly tip: string | undefined;
}

/** State of a conversation for the screen. */
export interface ConversationState extends Omit<ConversationFacts, 'branch' | 'ran' | 'stoppedAt'> {
  /** Messages of the shown branch. */
  readonly messages: readonly Message[];
  readonly branches: ReadonlyMap<string, BranchPlace>;
  /**
   * The current run, or the last one if the shown branch still ends with it: another tab may have added messages since.
   */
  readonly run: Run | undefined;
  /** True if the latest stored message is among the messages. */
  readonly showsNewest: boolean;
  /** True if it was interrupted or stopped, and can be continued. */
  readonly isUnfinished: boolean;
  /** True if a person stopped it, in any tab. */
  readonly wasStopped: boolean;
}

/**
 * Derives the state from the facts. The run of another branch is left out, because its events would appear among these
 * messages.
 */
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
