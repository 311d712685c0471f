import { outermost } from '../model/sub-call.ts';
import type { Question } from './question.ts';

/** The call of the thread's model that a question is about, or about what is inside of. */
export function callOf({ path, callId }: Pick<Question, 'path' | 'callId'>): string {
  return outermost(path?.[0] ?? callId);
}

/** The call that a question is about, among those of its thread and of all runs inside. */
export function keyOf({ path = [], callId }: Partial<Pick<Question, 'path'>> & Pick<Question, 'callId'>): string {
  return [...path, callId].join('\0');
}
