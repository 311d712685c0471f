import type { ReturnMode } from './return.ts';

const begin =
  'You are an agent that works on one task, for another assistant. Nobody reads along: do not ask back, decide, and do all that the task needs.';

const endings: Readonly<Record<ReturnMode, string>> = {
  'no-return': 'Your last message is your answer: it alone reaches the one who gave you the task.',
  both: 'Your last message is your answer. Where the result is a value, give it with the tool return.',
  'return-only': 'Give your result with the tool return: nothing else of you reaches the one who gave you the task.',
  enforced: 'Give your result with the tool return. Without that, your work has failed.',
  'auto-enforced': 'Give your result with the tool return. Without that, your work has failed.',
};

/** The instructions of an agent. `persona` comes behind what all agents are told. */
export function instructionsFor(returnMode: ReturnMode, persona: readonly string[]): string {
  return [begin, endings[returnMode], ...persona].join('\n\n');
}
