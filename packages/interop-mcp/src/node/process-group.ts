import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import process from 'node:process';

const isWindows = process.platform === 'win32';

/** Spawn options that make a process the leader of its own group, so that it can be ended with its descendants. */
export const ownGroup = isWindows ? { windowsHide: true } : { detached: true };

/** Grace periods in milliseconds: after the end of its input, and after a termination signal. */
const grace = 2_000;

const groups = new Set<number>();
let isWatched = false;

/** Ends a process with its descendants: by the end of its input, then by a signal, then by force. */
export async function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return; // it never started
  child.stdin?.end();
  if (!(await hasEnded(child))) {
    signal(pid, 'SIGTERM');
    await hasEnded(child);
  }
  signal(pid, 'SIGKILL'); // the group outlives its leader
  groups.delete(pid);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

/** Ends the group at the exit of this process, unless it has ended before. */
export function endWithProcess({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  groups.add(pid);
  if (isWatched) return;
  isWatched = true;
  process.on('exit', () => groups.forEach((each) => signal(each, 'SIGKILL')));
}

function hasEnded(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), grace);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  if (isWindows) {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true, stdio: 'ignore' }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, name);
  } catch {
    // the whole group has ended
  }
}
