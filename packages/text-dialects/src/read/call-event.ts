import type { JsonObject } from '@utensil/core';
import type { Recording } from '../text/source.ts';
import { malformed, unnamed } from './block.ts';
import type { Block, BlockEvent } from './block.ts';

/** A call that is being read, from `start` on. */
export interface BegunCall {
  readonly block: Block;
  readonly start: number;
  readonly whole: Recording;
  readonly name?: string | undefined;
}

/** Stops the recording and returns the call's event. A string is the reason why the call is malformed. */
export function callEvent({ block, start, whole, name = unnamed }: BegunCall, input: JsonObject | string): BlockEvent {
  whole.stop();
  const read = typeof input === 'string' ? { input: {}, problem: malformed(input) } : { input };
  return { type: 'call', call: { name, ...read, text: whole.text(), start, end: block.source.position } };
}
