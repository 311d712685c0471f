import { spawn } from 'node:child_process';
import { markVariable } from './process-tree.ts';

/** Kills remaining commands after the app has ended for any reason. */
export interface Watchdog {
  /** Process groups that must end with the app. */
  watch(groups: readonly number[]): void;
  close(): void;
}

/** Waits for the end of its input, which closes with the app; then kills the last groups and all marked processes. */
const program = `
while read -r line; do groups=$line; done
for group in $groups; do kill -KILL -- "-$group" 2>/dev/null; done
for process in /proc/[0-9]*; do
  if grep -qsaF "${markVariable}=$1" "$process/environ"; then kill -KILL "\${process#/proc/}" 2>/dev/null; fi
done`;

/** Starts a process that outlives the app just long enough to clean up. `mark` is the common prefix of all marks. */
export function watchdog(mark: string): Watchdog {
  const child = spawn('/bin/sh', ['-c', program, 'sh', mark], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return {
    watch: (groups) => void child.stdin.write(`${groups.join(' ')}\n`),
    close: () => void child.kill('SIGKILL'),
  };
}
