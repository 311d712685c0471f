/** Fences tool text, so that it cannot be taken for Markdown. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(2, longestTicks(text)) + 1);
  return `${fence}output\n${text.trimEnd()}\n${fence}`;
}

/** Text as inline code. */
export function codeSpan(text: string): string {
  const line = text.replaceAll('\n', ' ');
  if (!line.includes('`')) return `\`${line}\``;
  const ticks = '`'.repeat(longestTicks(line) + 1);
  return `${ticks} ${line} ${ticks}`;
}

/** A text may have more runs of backticks than a function accepts arguments. */
function longestTicks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
