import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isObject, UtensilError } from '@utensil/core';

/** Mounts of a sandbox. All directories are absolute and exist. */
export interface SandboxPlan {
  /** Replaced by empty directories that vanish with the sandbox. */
  readonly hidden: readonly string[];
  /** Made visible again below hidden directories. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Directories below writable ones, replaced by empty directories that cannot be changed, moved or removed. */
  readonly sealed: readonly string[];
  readonly network: boolean;
}

/** Parts of `/proc` that affect the whole machine; root could change them without any capability. */
const systemwide = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs'];

/**
 * Arguments of bubblewrap: the whole machine is read-only except `writable`, its processes are invisible, and nothing
 * in the sandbox survives its end or the app's. Even root has no capabilities inside to undo that.
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
  'Install it (apt-get install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap), or set sandbox: "none" in the app.';

/** Throws if bubblewrap is missing or cannot create a sandbox on this machine, which is tried. */
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
      'Commands require a sandbox, and bubblewrap cannot create one on this machine: user namespaces are forbidden here, perhaps by a container. Allow them, or set sandbox: "none" in the app.',
      { cause },
    );
  }
}
