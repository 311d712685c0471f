import type { Run, RunResult } from '@utensil/core';

/** Prints the progress of a run, and throws unless it completes. */
export async function show(run: Run): Promise<RunResult> {
  for await (const event of run.events()) {
    if (event.type === 'tool-start') console.log(`→ ${event.title}`);
  }
  const result = await run.result;
  if (result.status !== 'complete') throw new Error(result.error?.message ?? `The run ended as "${result.status}".`);
  console.log(result.text);
  return result;
}
