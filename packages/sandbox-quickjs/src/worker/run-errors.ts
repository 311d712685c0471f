import { bytesPerCharacter, longestText } from './crossing.ts';
import type { CrossingLimits } from './crossing.ts';

// Texts that only the worker needs.

/** Addition to the message about the time limit if a library, which runs before every script, is to blame. */
export function inLibraryText(library: string | undefined): string {
  return library === undefined ? '' : `. It was in the library ${library}, which runs before each script.`;
}

export function tooLongText(limits: CrossingLimits): string {
  return limits.hostCharacters <= limits.memoryBytes / bytesPerCharacter
    ? tooMuchText(limits)
    : `Error: Too much data for fs and other functions of the host at a time (${longestText(limits)} characters): give it in parts.`;
}

export function tooMuchText({ hostCharacters }: Pick<CrossingLimits, 'hostCharacters'>): string {
  return `Error: Too much data for fs and other functions of the host (${hostCharacters} characters)`;
}
