/** What is said of a script that took too long. */
export function timeoutText(milliseconds: number): string {
  return `Error: Execution timeout (${milliseconds / 1000}s)`;
}

/** What is said beside that where it was not the script's own doing, but a library's, which every script has. */
export function inLibraryText(library: string | undefined): string {
  return library === undefined ? '' : `. It was in the library ${library}, which runs before each script.`;
}

/** What is said where the sandbox itself could not go on. */
export const failedText = 'Error: The sandbox failed. Try again, in smaller steps.';

/** What is said of a script that its host has given up. */
export const abortedText = 'Error: Aborted';
