import type { SandboxLimits } from '../sandbox.ts';

/** Of a message, beside what code gives; and of the note that something was cut. */
export const ownCharacters = 1_000;

/** A text has a copy in each hand that it goes through, of two bytes a character at the most: together no more than the guest itself. */
const bytesPerCharacter = 8;

/** Of a character in JSON that has to be escaped. */
const escapedCharacters = 6;

type Limits = Pick<SandboxLimits, 'memoryBytes' | 'hostCharacters' | 'resultCharacters'>;

/** Characters that may cross at a time: the worker's memory for them is nobody's, so it has to be the guest's. */
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
