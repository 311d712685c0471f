/** Removed (-) and added (+) lines. */
export function difference(before: readonly string[], after: readonly string[]): string[] {
  const went = before.filter((line) => !after.includes(line)).map((line) => `- ${line}`);
  const came = after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`);
  return [...went, ...came];
}
