import type { RunContext } from '../run-context.ts';
import type { PlacedNote } from './prompt.ts';

const text =
  'Part of this conversation is missing here: its record was damaged or removed. Tools may have been called in it, and may have taken effect. Check before you repeat anything.';

/** Reports the places where a thread lost entries, and returns a note for the model at each. */
export function notesOnGaps(
  { emit, path, thread }: RunContext,
  gaps: readonly (string | undefined)[],
): readonly PlacedNote[] {
  const places = [...new Set(gaps)];
  const message = `record_corrupt: entries of the thread '${thread?.id ?? ''}' are damaged, or were removed. The model was told that something is missing.`;
  if (path.length === 0) emit({ type: 'error', error: { code: 'record_corrupt', message } });
  return places.map((after) => ({ after, text }));
}
