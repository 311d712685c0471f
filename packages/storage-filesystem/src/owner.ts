import { createHash, randomUUID } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { unless } from './refusal.ts';

// Name of a process, by which others can tell whether it is alive: `place-pid-start`. Pids are reused, even for this
// process, so the start time is part of the name if the system reports it. Names are short: a link target of up to 59
// bytes takes no disk block, and allocating one in each commit would cost more than the rest of the commit.

export async function ownName(): Promise<string> {
  const processes = (await unless(() => readlink('/proc/self/ns/pid'), 'ENOENT', 'EACCES')) ?? '';
  const place = createHash('sha256').update(`${hostname()} ${processes}`).digest('hex').slice(0, 12);
  return `${place}-${process.pid}-${await startOf(process.pid)}`;
}

/** A suffix unique to this process: 48 random bits. */
export function uniqueEnd(): string {
  return randomUUID().slice(-12);
}

/** True if the named process has ended; undefined if that cannot be determined here. */
export async function hasEnded(owner: string): Promise<boolean | undefined> {
  const [place, pid, start] = owner.split('-');
  const [here] = (await ownName()).split('-');
  if (place !== here || start === undefined) return undefined;
  if (!isRunning(Number(pid))) return true;
  const status = await statusOf(Number(pid));
  return isZombie(status) || (start !== '' && start !== status[startField]);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function startOf(pid: number): Promise<string> {
  return (await statusOf(pid))[startField] ?? '';
}

/** Fields of `/proc/{pid}/stat` after the program name; empty if the file is missing. */
async function statusOf(pid: number): Promise<readonly string[]> {
  const stat = await unless(() => readFile(`/proc/${pid}/stat`, 'utf8'), 'ENOENT', 'EACCES', 'ESRCH');
  return stat === undefined ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const startField = 19;

/** A process that has ended stays listed until its parent collects its status. */
function isZombie([state]: readonly string[]): boolean {
  return state === 'Z' || state === 'X';
}
