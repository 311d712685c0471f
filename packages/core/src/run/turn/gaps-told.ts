import type { RunContext } from '../run-context.ts';
import type { PlacedNote } from './prompt.ts';

const text =
  'Part of this conversation is missing here. Tools may have been called in it and may have taken effect: check before you repeat an action.';

/** Maximum number of notes: each request has them. */
const mostNotes = 20;

/** Reports that the thread of a run has gaps, and returns a note for the model at each. */
export function notesOnGaps({ emit, thread }: RunContext): readonly PlacedNote[] {
  if (thread === undefined) return [];
  const message = `record_corrupt: the thread '${thread.id}' has entries that are damaged, missing or of a later version. The model was told where.`;
  emit({ type: 'error', error: { code: 'record_corrupt', message } });
  return [...thread.gaps()].slice(-mostNotes).map((after) => ({ after, text }));
}
