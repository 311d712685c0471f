/** Prints the problems that a check finds, or why it cannot look for any. Where there are some, the process fails. */
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
