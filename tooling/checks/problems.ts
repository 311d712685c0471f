/** Prints the problems found by a check, or the reason why it cannot run. If there are any, the process fails. */
export async function reportProblems(find: () => readonly string[] | Promise<readonly string[]>): Promise<void> {
  let problems: readonly string[];
  try {
    problems = await find();
  } catch (error) {
    problems = [error instanceof Error ? error.message : String(error)];
  }
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
