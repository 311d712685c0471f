// The loop of runs as a pure step with its effects, for engines that keep a log of their own.
export { drive } from './drive.ts';
export type { Driver, EffectHandler } from './drive.ts';
export { step } from './step.ts';
export { initialState } from './state.ts';
export type { CallingTurn, CallState, RunEffect, RunEnd, RunInput, RunState, Step, Verdict } from './state.ts';
