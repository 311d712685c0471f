import type { SandboxLine } from '@utensil/core';
import type { SandboxLimits } from '../sandbox.ts';

/** Console of one run, within its limits. */
export interface Printer {
  print(line: SandboxLine): void;
  /** Number of lines dropped because of the limits. */
  dropped(): number;
}

export function createPrinter(
  { consoleLines, consoleCharacters }: Pick<SandboxLimits, 'consoleLines' | 'consoleCharacters'>,
  report: (line: SandboxLine) => void,
): Printer {
  const printed = { lines: 0, characters: 0, dropped: 0 };
  return {
    print(line) {
      if (printed.lines >= consoleLines || printed.characters >= consoleCharacters) {
        printed.dropped++;
        return;
      }
      const text = line.text.slice(0, consoleCharacters - printed.characters);
      printed.lines++;
      printed.characters += text.length;
      report({ ...line, text });
    },
    dropped: () => printed.dropped,
  };
}
