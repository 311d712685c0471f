/** Text of a tool as a block of code, so that nothing in it is taken for Markdown. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}

/** Text on a line as code. */
export function codeSpan(text: string): string {
  const line = text.replaceAll('\n', ' ');
  if (!line.includes('`')) return `\`${line}\``;
  const ticks = '`'.repeat(Math.max(...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return `${ticks} ${line} ${ticks}`;
}
