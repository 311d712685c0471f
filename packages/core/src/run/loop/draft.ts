import type { ToolCallPart } from '../../model/message.ts';
import type { CallingTurn, CallState, RunEffect, RunState } from './state.ts';

/** An object whose members change. */
type Changing<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** A call of a draft. */
export type DraftCall = Changing<CallState>;

/** The turn of a draft. */
export interface DraftTurn extends Changing<Omit<CallingTurn, 'calls'>> {
  readonly calls: DraftCall[];
}

/** The state of a draft. */
export interface DraftState extends Changing<Omit<RunState, 'turn'>> {
  turn: DraftTurn | undefined;
}

/** A step that is being made: its state changes in place, with its turn and their calls, and its effects come in their order. */
export interface Draft {
  readonly state: DraftState;
  readonly effects: RunEffect[];
  /** Index among the effects at which the next read begins: before all else of this step. */
  reads: number;
}

/** A copy of a state that a draft may change: with the turn and its calls, since nothing else in it is changed. */
export function draftOf(state: RunState): DraftState {
  const { turn } = state;
  return { ...state, turn: turn && { ...turn, calls: turn.calls.map((call) => ({ ...call })) } };
}

/** A call that must be prepared. It has all its members from the start, as {@link RunState} does. */
export function newCall(call: ToolCallPart): DraftCall {
  return {
    call,
    phase: 'preparing',
    effects: 'read',
    question: undefined,
    isAsked: false,
    concurrency: undefined,
    refusal: undefined,
    message: undefined,
    isStored: false,
    control: undefined,
  };
}
