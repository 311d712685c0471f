import type { Committed } from './gate.ts';

/** Limits of a step's cost: the ratios to the hand-written loop at the last change that was meant to move them. */
export const ratios: Committed = {
  scripted: {
    1: { step: 3.5, allocated: 2.6 },
    100: { step: 3.5, allocated: 2.6 },
    1000: { step: 3.5, allocated: 2.6 },
  },
};
