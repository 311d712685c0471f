// The loop of runs as a pure step with its effects, for engines that keep a log of their own.
export { drive } from '../run/drive.ts';
export type { Driver, EffectHandler } from '../run/drive.ts';
export { step } from '../run/step.ts';
export { initialState } from '../run/state.ts';
export type {
  CallingTurn,
  CallState,
  Question,
  RunEffect,
  RunEnd,
  RunInput,
  RunState,
  Step,
  Verdict,
} from '../run/state.ts';
