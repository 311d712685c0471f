import type { ReturnMode } from './return.ts';

const begin =
  'You are an agent that works on one task for another assistant. Nobody reads along: do not ask questions, make decisions yourself, and complete the task.';

const endings: Readonly<Record<ReturnMode, string>> = {
  'no-return': 'Your last message is your answer: only it reaches the assistant that gave you the task.',
  both: 'Your last message is your answer. If the result is a value, return it with the tool return.',
  'return-only': 'Return your result with the tool return: nothing else reaches the assistant that gave you the task.',
  enforced: 'Return your result with the tool return. Otherwise your work counts as failed.',
  'auto-enforced': 'Return your result with the tool return. Otherwise your work counts as failed.',
};

/** Instructions of an agent. `persona` follows the general part. */
export function instructionsFor(returnMode: ReturnMode, persona: readonly string[]): string {
  return [begin, endings[returnMode], ...persona].join('\n\n');
}
