import type { Files } from '@utensil/core';
import { currentTexts } from '../texts/texts.ts';
import type { Texts } from '../texts/texts.ts';

type ExampleId = keyof Texts['examples'];
type ExampleTexts = Texts['examples'][ExampleId];

/** An example to run with one click, worded by the app; `prompt` is for a language model. */
export type Example = ExampleTask & ExampleTexts;

interface ExampleTask {
  readonly id: ExampleId;
  /** For the offline model, which understands English commands. */
  readonly command: string;
  /** The file it works on, with text that it must contain. */
  readonly needs?: { readonly path: string; readonly text?: string };
}

const program = `const files = ['/data/north.csv', '/data/south.csv', '/data/west.csv'];
const tables = await Promise.all(files.map((path) => tools.filesystem({ command: 'view', path })));
const sum = (table) => [...table.matchAll(/,(\\d+)$/gm)].reduce((total, [, revenue]) => total + Number(revenue), 0);
return files.map((path, index) => path + ': ' + sum(tables[index])).join('\\n');`;

/** Best first. The last one replaces an example whose file is gone. */
const tasks: readonly ExampleTask[] = [
  {
    id: 'summary',
    command: 'summarise /data',
    needs: { path: '/data' },
  },
  {
    id: 'edit',
    command: 'replace "[ ] Milk" with "[x] Milk" in /notes/shopping.md',
    needs: { path: '/notes/shopping.md', text: '[ ] Milk' },
  },
  {
    id: 'memory',
    command: 'remember preferences: short answers, metric units then recall preferences',
  },
  {
    id: 'program',
    command: `run ${program}`,
    needs: { path: '/data/west.csv' },
  },
  {
    id: 'note',
    command: 'write notes/todo.md: buy milk then read notes/todo.md',
  },
];

/** Number of examples to show. */
const offered = 4;

/** Examples whose files exist. */
export async function examplesFor(files: Files): Promise<readonly Example[]> {
  const fitting = await Promise.all(tasks.map(async (task) => ((await isMet(task, files)) ? [task] : [])));
  return fitting.flat().slice(0, offered).map(worded);
}

/** The example with this command or prompt. */
export function exampleOf(message: string): Example | undefined {
  return tasks.map(worded).find(({ command, prompt }) => message === command || message === prompt);
}

function worded(task: ExampleTask): Example {
  return { ...task, ...currentTexts().examples[task.id] };
}

async function isMet({ needs }: ExampleTask, files: Files): Promise<boolean> {
  if (needs === undefined) return true;
  try {
    const found = await files.stat(needs.path);
    if (found === undefined || needs.text === undefined) return found !== undefined;
    return (await files.readText(needs.path)).text.includes(needs.text);
  } catch {
    return false; // an unreadable file cannot be used
  }
}
