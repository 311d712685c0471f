import type { Committed } from './gate.ts';

/** Limits of a step's cost: the ratios to the hand-written loop at the last change that was meant to move them. */
export const ratios: Committed = {
  scripted: {
    1: { cpu: 14.5, allocated: 3.3 },
    100: { cpu: 6.7, allocated: 3.3 },
    1000: { cpu: 5.2, allocated: 3.6 },
  },
};
