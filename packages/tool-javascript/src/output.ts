import type { SandboxLine, SandboxOutcome } from '@utensil/core';

/** Maximum characters of a JSON result shown to people on one line. */
const mostShown = 1_000;

const resultHeading = '=== Result ===';

/** The result of a script on one line: JSON without line breaks, or the first line of other text. */
export function resultLine(output: string): string {
  const [, result = output] = output.split(`\n${resultHeading}\n`);
  if (!/^\s*[[{]/.test(result))
    return result
      .trimStart()
      .split('\n', 1)
      .join('')
      .replace(/^Error: /, '');
  return result.slice(0, mostShown).replaceAll(/\s*\n\s*/g, ' ');
}

/** Output shown to the model: the result, preceded by the console. */
export function showOutcome({ text, console, consoleDropped }: SandboxOutcome): string {
  const own = console.filter(({ library }) => library === undefined).map(showLine);
  if (consoleDropped > 0) own.push(`[WARN] ${consoleDropped} more console lines omitted.`);
  const blocks = [...libraryBlocks(console), ...(own.length > 0 ? [['=== Console output ===', ...own]] : [])].map(
    (lines) => lines.join('\n'),
  );
  return blocks.length === 0 ? text : [...blocks, resultHeading, text].join('\n');
}

function showLine({ level, text }: SandboxLine): string {
  return `[${level}] ${text}`;
}

/** Console output by library, in the order of execution. */
function libraryBlocks(console: readonly SandboxLine[]): readonly (readonly string[])[] {
  const blocks = new Map<string, string[]>();
  for (const line of console) {
    const { library } = line;
    if (library === undefined) continue;
    const block = blocks.get(library) ?? [`=== Output of library ${nameOf(library)} ===`];
    blocks.set(library, [...block, showLine(line)]);
  }
  return [...blocks.values()];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
