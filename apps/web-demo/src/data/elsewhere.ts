import { noRun, threadView } from '@utensil/elements/view';
import type { LiveRun } from '@utensil/elements/view';
import type { ConversationState } from './conversation-state.ts';

/** The run of another tab as this one can show it: the answer as far as it is stored. Undefined if no other tab answers. */
export function liveElsewhere(
  state: Pick<ConversationState, 'messages' | 'isAnsweredElsewhere' | 'showsNewest'>,
): LiveRun | undefined {
  if (!state.isAnsweredElsewhere) return undefined;
  const last = state.messages.at(-1);
  if (!state.showsNewest || last?.incomplete !== true) return { ...noRun, status: 'running' };
  const messages = threadView([last]).messages.map((view) => ({
    ...view,
    items: view.items.filter(({ type }) => type !== 'notice'),
    isStreaming: true as const,
  }));
  return { ...noRun, status: 'running', messages };
}
