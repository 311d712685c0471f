import { GuestFailure } from '../engine/engine.ts';
import type { Ending } from './protocol.ts';
import { failedText } from './texts.ts';

/** For a script that waits for something that cannot happen. */
export const neverSettled: Ending = {
  status: 'failed',
  text: 'Error: Promise did not resolve within timeout',
  isClean: true,
};

/** For a script that the sandbox could not continue. */
export function crash(): Ending {
  return { status: 'crashed', text: failedText, isClean: false };
}

/** For a failure that the engine or its platform could not recover from. */
export function endingOf(error: unknown): Ending {
  const text = error instanceof GuestFailure || error instanceof Error ? error.message : '';
  const isStack = error instanceof RangeError || /stack|recursion/i.test(text);
  if (isStack) return { status: 'limit', text: 'InternalError: stack overflow', isClean: false };
  if (/memory|malloc/i.test(text)) return { status: 'limit', text: 'InternalError: out of memory', isClean: false };
  return crash();
}
