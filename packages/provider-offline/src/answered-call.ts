import type { JsonObject } from '@utensil/core';

/** A call that was answered. */
export interface AnsweredCall {
  readonly input: JsonObject;
  readonly text: string;
}
