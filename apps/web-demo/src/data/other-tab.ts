import { noRun } from '@utensil/elements/view';
import type { LiveRun } from '@utensil/elements/view';
import type { ConversationState } from './conversation-state.ts';

const runsElsewhere: LiveRun = { ...noRun, status: 'running' };

/**
 * The run of another tab, for the element to show, unless it is on another branch. Undefined if no other tab answers.
 */
export function liveInOtherTab(
  state: Pick<ConversationState, 'isAnsweredElsewhere' | 'showsNewest'>,
): LiveRun | undefined {
  if (!state.isAnsweredElsewhere) return undefined;
  return state.showsNewest ? noRun : runsElsewhere;
}
