import { type Json, type JsonObject, type Message, isObject } from '@utensil/core';

/** The wire format of `googleInteractions`. */
export const api = 'gemini-interactions';

/** A step of an interaction, as the API sends it. */
export interface Step {
  readonly type: string;
  readonly [member: string]: Json;
}

/** Steps that the API wants back with an assistant message. */
export interface State {
  /** Id of the interaction, if Google stores it. */
  readonly id?: string;
  readonly steps: readonly Step[];
}

/** The state that came with a message of this model. Signatures of another model would be refused. */
export function stateOf({ origin }: Message, modelId: string): State | undefined {
  const state: unknown = origin?.api === api && origin.model === modelId ? origin.state : undefined;
  return isState(state) ? state : undefined;
}

function isState(value: unknown): value is State {
  return isObject(value) && Array.isArray(value['steps']) && value['steps'].every(isStep);
}

export function isStep(value: unknown): value is Step {
  return isObject(value) && typeof value['type'] === 'string';
}

/** The steps of a response as state. */
export function toState(steps: readonly Step[], id: string | undefined): JsonObject | undefined {
  return steps.length === 0 ? undefined : { steps, ...(id !== undefined && { id }) };
}
