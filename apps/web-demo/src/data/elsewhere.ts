import { liveElsewhere, noRun } from '@utensil/elements/view';
import type { LiveRun } from '@utensil/elements/view';
import type { ConversationState } from './conversation-state.ts';

/** The run of another tab as this one can show it: the answer as far as it is stored. Undefined if no other tab answers. */
export function liveInOtherTab(
  state: Pick<ConversationState, 'messages' | 'questions' | 'isAnsweredElsewhere' | 'showsNewest'>,
): LiveRun | undefined {
  if (!state.isAnsweredElsewhere) return undefined;
  return state.showsNewest ? liveElsewhere(state) : { ...noRun, status: 'running' };
}
