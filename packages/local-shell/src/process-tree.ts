import { readdirSync, readFileSync } from 'node:fs';

/** The variable that a command and all that it starts carry, even where they left its process group. */
export const markVariable = 'UTENSIL_COMMAND';

/** The variable of a sandbox itself, which it has before anything runs in it. */
export const sandboxVariable = 'UTENSIL_SANDBOX';

/** The processes of a command. */
export interface ProcessTree {
  /** Of the first process, which leads a group. */
  readonly pid: number;
  readonly mark: string;
  /** The group is the sandbox itself, which ends all that is in it. */
  readonly isSandbox: boolean;
}

/** Sends a signal that processes may heed or not. A sandbox gets none itself, for it would end before they can. */
export function askTree({ pid, mark, isSandbox }: ProcessTree, signal: 'SIGTERM' | 'SIGINT'): void {
  if (!isSandbox) send(-pid, signal);
  const asked = marked(mark);
  for (const each of asked) if (isSandbox || groupOf(each) !== pid) send(each, signal);
  if (isSandbox && asked.length === 0 && signal === 'SIGTERM') send(-pid, signal);
}

/** Kills all of them: also those that are started meanwhile. */
export function killTree({ pid, mark, isSandbox }: ProcessTree): void {
  send(-pid, 'SIGKILL');
  // A sandbox that loses its first process while it is being made does not end by itself.
  const find = (): readonly number[] => marked(mark, isSandbox ? sandboxVariable : markVariable);
  for (let round = 0, found = find(); found.length > 0 && round < 20; round++, found = find())
    for (const each of found) send(each, 'SIGKILL');
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended
  }
}

/** The processes that carry a mark. Linux tells it of processes of the same user; other systems tell nothing. */
function marked(mark: string, name = markVariable): readonly number[] {
  const variable = `${name}=${mark}\0`;
  const isMarked = (pid: string): boolean => `\0${environOf(pid)}`.includes(`\0${variable}`);
  return processes().filter(isMarked).map(Number);
}

function processes(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function environOf(pid: string): string {
  return told(`/proc/${pid}/environ`);
}

/** The fifth field, behind the name of the program, which may be anything. */
function groupOf(pid: number): number {
  return Number(
    told(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ')[2],
  );
}

function told(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
