import { isUtensilError } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { bubblewrapArguments, tryBubblewrap } from './bubblewrap.ts';

const plan = {
  hidden: ['/tmp', '/home'],
  readable: ['/home/me/.nvm'],
  writable: ['/home/me/project'],
  sealed: ['/home/me/project/.utensil'],
  network: false,
};

describe('the arguments of bubblewrap', () => {
  it('show the machine read only, hide what is private, and then show what is meant to be seen', () => {
    expect(bubblewrapArguments(plan, '/home/me/project/src').join(' ')).toBe(
      [
        '--unshare-all --unshare-user --cap-drop ALL --die-with-parent --new-session',
        '--ro-bind / / --dev /dev --proc /proc',
        '--ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger',
        '--ro-bind-try /proc/irq /proc/irq --ro-bind-try /proc/bus /proc/bus --ro-bind-try /proc/fs /proc/fs',
        '--tmpfs /tmp --tmpfs /home',
        '--ro-bind /home/me/.nvm /home/me/.nvm --bind /home/me/project /home/me/project',
        '--tmpfs /home/me/project/.utensil --remount-ro /home/me/project/.utensil',
        '--chdir /home/me/project/src --',
      ].join(' '),
    );
  });

  it('share the network only if the app says so', () => {
    expect(bubblewrapArguments(plan, '/')).not.toContain('--share-net');
    expect(bubblewrapArguments({ ...plan, network: true }, '/')).toContain('--share-net');
  });
});

describe('a sandbox that is not available', () => {
  const refusal = async (program: string): Promise<unknown> =>
    tryBubblewrap(program, { ...plan, hidden: [], readable: [], writable: [], sealed: [] }).catch(
      (error: unknown) => error,
    );

  it('is refused with what to install where bubblewrap is missing', async () => {
    const error = await refusal('/nowhere/bwrap');
    expect(isUtensilError(error, 'ENOENT') && error.message).toContain('apt-get install bubblewrap');
    expect(isUtensilError(error) && error.message).not.toContain('/nowhere');
  });

  it('is refused with what to allow if it does not work', async () => {
    const error = await refusal('/bin/false');
    expect(isUtensilError(error, 'EACCES') && error.message).toContain('user namespaces');
  });
});
