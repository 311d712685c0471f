import { outermost } from '../model/sub-call.ts';
import type { Question } from './question.ts';

/** The outermost call that a question is about or inside of. */
export function callOf({ path, callId }: Pick<Question, 'path' | 'callId'>): string {
  return outermost(path?.[0] ?? callId);
}

/** The path of the call that a question is about, through all runs inside. */
export function keyOf({ path = [], callId }: Partial<Pick<Question, 'path'>> & Pick<Question, 'callId'>): string {
  return [...path, callId].join('\0');
}
