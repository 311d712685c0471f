import type { SandboxLimits } from '../sandbox.ts';

/** Characters of a message beyond those of the script, such as a note that something was cut. */
export const ownCharacters = 1_000;

/** A text is copied at each step on its way, at most two bytes a character: all copies take no more memory than the guest. */
const bytesPerCharacter = 8;

/** Characters of an escaped character in JSON. */
const escapedCharacters = 6;

type Limits = Pick<SandboxLimits, 'memoryBytes' | 'hostCharacters' | 'resultCharacters'>;

/** Characters that may cross at a time. No other limit counts the worker's memory for them, so the guest's does. */
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
