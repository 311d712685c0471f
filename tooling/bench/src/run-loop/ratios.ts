import type { Committed } from './gate.ts';

/** What a step may take: the ratios to the hand-written loop of the last change that was meant to move them. */
export const ratios: Committed = {
  scripted: {
    1: { cpu: 5, allocated: 6 },
    100: { cpu: 5, allocated: 6 },
    1000: { cpu: 5, allocated: 6 },
  },
};
