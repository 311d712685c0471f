import { GuestFailure } from '../engine/engine.ts';
import type { Ending } from './protocol.ts';
import { failedText } from './texts.ts';

/** Of a script that waits for what nothing will bring. */
export const neverSettled: Ending = {
  status: 'failed',
  text: 'Error: Promise did not resolve within timeout',
  isClean: true,
};

/** Of a script that the sandbox could not go on with. */
export function crash(): Ending {
  return { status: 'crashed', text: failedText, isClean: false };
}

/** What the engine, or the machine below it, could not go on from. */
export function endingOf(error: unknown): Ending {
  const text = error instanceof GuestFailure || error instanceof Error ? error.message : '';
  const isStack = error instanceof RangeError || /stack|recursion/i.test(text);
  if (isStack) return { status: 'limit', text: 'InternalError: stack overflow', isClean: false };
  if (/memory|malloc/i.test(text)) return { status: 'limit', text: 'InternalError: out of memory', isClean: false };
  return crash();
}
