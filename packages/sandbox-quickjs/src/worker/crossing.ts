import type { SandboxLimits } from '../sandbox.ts';

/** Characters of a message beyond those of the script, for notes such as a truncation mark. */
export const ownCharacters = 1_000;

/**
 * A text is copied at each step on its way, with at most two bytes per character: all copies together fit in the
 * guest's memory limit.
 */
const bytesPerCharacter = 8;

/** Length of an escaped character in JSON. */
const escapedCharacters = 6;

type Limits = Pick<SandboxLimits, 'memoryBytes' | 'hostCharacters' | 'resultCharacters'>;

/** Maximum characters that may cross at a time. No other limit covers the worker's own memory for them. */
export function longestText({ memoryBytes, hostCharacters, resultCharacters }: Limits): number {
  const ofCalls = Math.min(hostCharacters, Math.floor(memoryBytes / bytesPerCharacter));
  return Math.max(ofCalls, resultCharacters * escapedCharacters) + ownCharacters;
}

export function tooLongText(limits: Limits): string {
  return limits.hostCharacters <= limits.memoryBytes / bytesPerCharacter
    ? tooMuchText(limits)
    : `Error: Too much data for fs and other functions of the host at a time (${longestText(limits)} characters): give it in parts.`;
}

export function tooMuchText({ hostCharacters }: Pick<Limits, 'hostCharacters'>): string {
  return `Error: Too much data for fs and other functions of the host (${hostCharacters} characters)`;
}
