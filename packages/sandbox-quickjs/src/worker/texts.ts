/** Message for a script that exceeded its time limit. */
export function timeoutText(milliseconds: number): string {
  return `Error: Execution timeout (${milliseconds / 1000}s)`;
}

/** Message for a failure of the sandbox itself. */
export const failedText = 'Error: The sandbox failed. Try again, in smaller steps.';

/** Message for a script that its host has aborted. */
export const abortedText = 'Error: Aborted';
