import type { JsonObject } from '@utensil/core';

/** A call with its result. */
export interface AnsweredCall {
  readonly input: JsonObject;
  readonly text: string;
}
