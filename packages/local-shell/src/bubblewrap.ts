import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isObject, UtensilError } from '@utensil/core';

/** What a sandbox shows and hides. Directories are absolute, and there. */
export interface SandboxPlan {
  /** Replaced by empty ones, that are gone with the sandbox. */
  readonly hidden: readonly string[];
  /** Shown again, where they are hidden. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Directories below writable ones, replaced by empty ones that nobody can change, move or remove. */
  readonly sealed: readonly string[];
  readonly network: boolean;
}

/** What of `/proc` is the whole machine's: root could change it without any capability. */
const systemwide = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs'];

/**
 * The arguments of bubblewrap: all of the machine read only but `writable`, no process of the machine in sight, and none of
 * the sandbox left when it or the app ends. Even root has no capabilities inside, with which it could undo that.
 */
export function bubblewrapArguments(plan: SandboxPlan, cwd: string): readonly string[] {
  const mount = (kind: string, directories: readonly string[]): readonly string[] =>
    directories.flatMap((directory) => [kind, directory, directory]);
  return [
    ...['--unshare-all', '--unshare-user', ...(plan.network ? ['--share-net'] : [])],
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...systemwide.flatMap((path) => ['--ro-bind-try', path, path]),
    ...plan.hidden.flatMap((directory) => ['--tmpfs', directory]),
    ...mount('--ro-bind', plan.readable),
    ...mount('--bind', plan.writable),
    ...plan.sealed.flatMap((directory) => ['--tmpfs', directory, '--remount-ro', directory]),
    ...['--chdir', cwd],
    '--',
  ];
}

const run = promisify(execFile);

const install =
  'Install it (apt-get install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap), or let the app have sandbox: "none".';

/** Throws where bubblewrap is missing, or where the machine does not let it work: it is really tried. */
export async function tryBubblewrap(program: string, plan: SandboxPlan): Promise<void> {
  const { PATH = '/usr/bin:/bin' } = process.env;
  const env = { PATH };
  try {
    await run(program, [...bubblewrapArguments(plan, '/'), '/bin/sh', '-c', ':'], { timeout: 10_000, env });
  } catch (cause) {
    if (isObject(cause) && cause['code'] === 'ENOENT')
      throw new UtensilError('ENOENT', `Commands run in a sandbox only, and bubblewrap is missing. ${install}`, {
        cause,
      });
    throw new UtensilError(
      'EACCES',
      'Commands run in a sandbox only, and bubblewrap cannot make one on this machine: it forbids user namespaces, or is itself a container that does. Allow them there, or let the app have sandbox: "none".',
      { cause },
    );
  }
}
