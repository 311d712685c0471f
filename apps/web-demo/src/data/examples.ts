import type { Files } from '@utensil/core';

/** Something to try with one click. */
export interface Example {
  readonly title: string;
  readonly about: string;
  /** For the offline model, which understands commands. */
  readonly command: string;
  /** For a language model. */
  readonly prompt: string;
  /** The file that it works on, and what has to be in it. */
  readonly needs?: { readonly path: string; readonly text?: string };
}

const program = `const files = ['/data/north.csv', '/data/south.csv', '/data/west.csv'];
const tables = await Promise.all(files.map((path) => tools.filesystem({ command: 'view', path })));
const sum = (table) => [...table.matchAll(/,(\\d+)$/gm)].reduce((total, [, revenue]) => total + Number(revenue), 0);
return files.map((path, index) => path + ': ' + sum(tables[index])).join('\\n');`;

/** The best first; the last one takes the place of one whose file is gone. */
const examples: readonly Example[] = [
  {
    title: 'Summarise the CSVs in /data',
    about: 'Lists the directory, then reads each table.',
    command: 'summarise /data',
    prompt: 'Summarise the CSV files in /data: what is in them, and what stands out?',
    needs: { path: '/data' },
  },
  {
    title: 'Edit a note, and approve the change',
    about: 'Shows the change, and asks you first.',
    command: 'replace "[ ] Milk" with "[x] Milk" in /notes/shopping.md',
    prompt: 'Tick off “Milk” in /notes/shopping.md, and leave the rest as it is.',
    needs: { path: '/notes/shopping.md', text: '[ ] Milk' },
  },
  {
    title: 'Remember my preferences',
    about: 'Later conversations can read them.',
    command: 'remember preferences: short answers, metric units then recall preferences',
    prompt: 'Remember that I like short answers and metric units. Then tell me what you remember about me.',
  },
  {
    title: 'One program, three tool calls',
    about: 'A script in a sandbox calls the tools.',
    command: `run ${program}`,
    prompt:
      'Write one JavaScript program that calls tools.filesystem to view /data/north.csv, /data/south.csv and /data/west.csv, adds up the revenue of each, and returns the totals. Run it in a single call.',
    needs: { path: '/data/west.csv' },
  },
  {
    title: 'Write a note, and read it back',
    about: 'Makes a file in this project.',
    command: 'write notes/todo.md: buy milk then read notes/todo.md',
    prompt: 'Write “buy milk” into /notes/todo.md, then read it back to me.',
  },
];

/** How many are offered at a time. */
const offered = 4;

/** The examples that work on the files there are. */
export async function examplesFor(files: Files): Promise<readonly Example[]> {
  const fitting = await Promise.all(examples.map(async (example) => ((await isMet(example, files)) ? [example] : [])));
  return fitting.flat().slice(0, offered);
}

async function isMet({ needs }: Example, files: Files): Promise<boolean> {
  if (needs === undefined) return true;
  try {
    const found = await files.stat(needs.path);
    if (found === undefined || needs.text === undefined) return found !== undefined;
    return (await files.readText(needs.path)).text.includes(needs.text);
  } catch {
    return false; // a file that cannot be read is nothing to begin with
  }
}
