import { spawn } from 'node:child_process';
import { markVariable } from './process-tree.ts';

/** Ends what is left of commands when the app has ended, in whatever way. */
export interface Watchdog {
  /** The groups that are to end with the app. */
  watch(groups: readonly number[]): void;
  close(): void;
}

/** Waits until its input ends, which it does with the app; then kills the last groups, and all that carries the mark. */
const program = `
while read -r line; do groups=$line; done
for group in $groups; do kill -KILL -- "-$group" 2>/dev/null; done
for process in /proc/[0-9]*; do
  if grep -qsaF "${markVariable}=$1" "$process/environ"; then kill -KILL "\${process#/proc/}" 2>/dev/null; fi
done`;

/** A process that outlives the app by as long as it takes to clean up. `mark` is what the marks of the commands begin with. */
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
