import type { SandboxLimits } from '../sandbox.ts';

/** Characters of a message beyond those of the script, for notes such as a truncation mark. */
export const ownCharacters = 1_000;

/**
 * A text is copied at each step on its way, with at most two bytes per character: all copies together fit in the
 * guest's memory limit.
 */
export const bytesPerCharacter = 8;

/** Length of an escaped character in JSON. */
const escapedCharacters = 6;

export type CrossingLimits = Pick<SandboxLimits, 'memoryBytes' | 'hostCharacters' | 'resultCharacters'>;

/** Maximum characters that may cross at a time. No other limit covers the worker's own memory for them. */
export function longestText({ memoryBytes, hostCharacters, resultCharacters }: CrossingLimits): number {
  const ofCalls = Math.min(hostCharacters, Math.floor(memoryBytes / bytesPerCharacter));
  return Math.max(ofCalls, resultCharacters * escapedCharacters) + ownCharacters;
}
