import { readdirSync, readFileSync } from 'node:fs';

/** Environment variable that a command passes on to all its processes, even outside its process group. */
export const markVariable = 'UTENSIL_COMMAND';

/** Environment variable of the sandbox process itself, set before anything runs in it. */
export const sandboxVariable = 'UTENSIL_SANDBOX';

/** Processes of a command. */
export interface ProcessTree {
  /** The first process, which leads a process group. */
  readonly pid: number;
  readonly mark: string;
  /** True if the group is a sandbox, which kills everything in it when it ends. */
  readonly isSandbox: boolean;
}

/** Sends a signal that processes may ignore. A sandbox process itself gets none, because it would end before them. */
export function askTree({ pid, mark, isSandbox }: ProcessTree, signal: 'SIGTERM' | 'SIGINT'): void {
  if (!isSandbox) send(-pid, signal);
  const asked = marked(mark);
  for (const each of asked) if (isSandbox || groupOf(each) !== pid) send(each, signal);
  if (isSandbox && asked.length === 0 && signal === 'SIGTERM') send(-pid, signal);
}

/** Kills all processes, including those started in the meantime. */
export function killTree({ pid, mark, isSandbox }: ProcessTree): void {
  send(-pid, 'SIGKILL');
  // A sandbox that loses its first process while it is being created does not end by itself.
  const find = (): readonly number[] => marked(mark, isSandbox ? sandboxVariable : markVariable);
  for (let round = 0, found = find(); found.length > 0 && round < 20; round++, found = find())
    for (const each of found) send(each, 'SIGKILL');
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // already ended
  }
}

/** Processes with a mark. Linux shows those of the same user; other systems show none. */
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

/** The fifth field, after the program name, which may contain anything. */
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
