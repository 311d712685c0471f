// With a real bubblewrap. If none works, as on machines that forbid user namespaces, these tests are skipped with a
// reason.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createSocket } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { LocalShellOptions } from './options.ts';
import { findBubblewrap } from './test-kit/bubblewrap.ts';
import { alive, endApp, nap, outcomeOf, readUntil, shells } from './test-kit/shells.ts';

const { open, close } = shells();
afterEach(close);

const found = await findBubblewrap();
const program = 'program' in found ? found.program : '';
const why = 'reason' in found ? ` (skipped: ${found.reason})` : '';

describe.skipIf(why)(`a command in bubblewrap${why}`, () => {
  const boxed = (options: Partial<LocalShellOptions> = {}) =>
    open({ sandbox: 'required', bubblewrap: program, ...options });

  it('works on the files of the project', async () => {
    const { root, run } = boxed();
    mkdirSync(join(root, 'src'));
    expect(await run('echo bread > a.txt; pwd; ls ..', { cwd: 'src' })).toMatchObject({
      text: `${root}/src\nsrc\n`,
      exit: { code: 0 },
    });
    expect(readFileSync(join(root, 'src/a.txt'), 'utf8')).toBe('bread\n');
  });

  it('gives its exit code, its output in order, and takes input', async () => {
    const command = await boxed().shell.start({
      command: 'read a; echo 1 $a; echo 2 >&2; echo 3 > /dev/stderr; exit 9',
    });
    await command.write('x\n');
    expect(await outcomeOf(command)).toEqual({ text: '1 x\n2\n3\n', dropped: 0, exit: { code: 9 } });
  });

  it.each(['/etc/utensil-test', '/usr/utensil-test', '/var/lib/utensil-test', '/utensil-test', '/sys/utensil-test'])(
    'cannot write %s',
    async (path) => {
      const { text } = await boxed().run(`echo x > ${path}; ls ${path}`);
      expect(text).toMatch(/Read-only file system|Permission denied/);
      expect(existsSync(path)).toBe(false);
    },
  );

  it('cannot change what of /proc is the whole machine’s, root neither', async () => {
    // If it succeeds, it writes the existing value.
    const { text } = await boxed().run('f=/proc/sys/kernel/core_pattern; v=$(cat $f); echo "$v" > $f && echo written');
    expect(text).toMatch(/Read-only file system|Permission denied/);
    expect(text).not.toContain('written');
  });

  it('has no capability, and cannot mount the machine writable again', async () => {
    const { text } = await boxed().run('grep CapEff /proc/self/status; mount -o remount,rw / && echo mounted');
    expect(text).toMatch(/CapEff:\s+0000000000000000/);
    expect(text).not.toContain('mounted');
  });

  it('leaves nothing if it is ended while its sandbox is being made', async () => {
    const { shell } = boxed({ limits: { graceMs: 50 } });
    const rest = nap();
    for (let ms = 0; ms < 40; ms += 2) {
      const command = await shell.start({ command: `trap "" TERM; ${rest} & wait` });
      await new Promise((resolve) => setTimeout(resolve, ms));
      await command.kill();
    }
    await expect.poll(() => alive(rest)).toBe(0);
  });

  it('sees a home directory and directories for temporary files of its own, gone after it', async () => {
    const secret = mkdtempSync(join(tmpdir(), 'utensil-shell-secret-'));
    writeFileSync(join(secret, 'key'), 'hush');
    const { run } = boxed();
    const { text } = await run(
      `cat ${secret}/key; echo x > ~/mine && echo x > /tmp/mine && ls -A ~ && ls -A /run | wc -l`,
    );
    expect(text).not.toContain('hush');
    expect(text).toMatch(/No such file or directory\nmine\n0\n$/);
    expect([existsSync('/tmp/mine'), existsSync(join(homedir(), 'mine'))]).toEqual([false, false]);
    const { text: shown } = await boxed({ readable: [secret] }).run(`cat ${secret}/key; echo x > ${secret}/key`);
    expect(shown).toMatch(/hush.*Read-only file system/s);
    expect((await boxed({ writable: [secret] }).run(`echo new > ${secret}/key`)).exit).toEqual({ code: 0 });
    expect(readFileSync(join(secret, 'key'), 'utf8')).toBe('new\n');
    rmSync(secret, { recursive: true });
  });

  it('gets out by no symbolic link that it makes', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'utensil-shell-outside-'));
    const { run } = boxed();
    await run(`ln -s ${outside} out; ln -s / all`);
    expect((await run(`echo x > out/file; echo x > all/etc/utensil-test; echo done`)).text).toContain('done');
    expect([existsSync(join(outside, 'file')), existsSync('/etc/utensil-test')]).toEqual([false, false]);
    await expect(run('pwd', { cwd: 'out' })).rejects.toThrow('outside the project');
    rmSync(outside, { recursive: true });
  });

  it('neither reads nor changes what an app keeps in the project: a grant that it writes is one that nobody gave', async () => {
    const { root, run } = boxed();
    const settings = '.utensil/records/settings/default.json';
    mkdirSync(join(root, '.utensil/records/settings'), { recursive: true });
    writeFileSync(join(root, settings), 'before');
    const { text, exit } = await run(
      `ls -A .utensil | wc -l; cat ${settings}; echo 1; echo x > ${settings}; echo 2; mkdir -p .utensil/records; echo 3
       mv .utensil away; echo 4; rm -rf .utensil; echo 5; ln .utensil/records grant; echo 6; chmod 777 .utensil; echo 7
       ln -sfn /tmp .utensil; mkdir /tmp/new; mv -T /tmp/new .utensil; mv -T --exchange /tmp/new .utensil; cp -r /etc .utensil; exit 3`,
    );
    expect(exit).toEqual({ code: 3 });
    expect(text).toMatch(/^0\n.*No such file.*\n1\n/);
    expect(text).not.toContain('before');
    expect(readdirSync(root)).toEqual(['.utensil']);
    expect(readFileSync(join(root, settings), 'utf8')).toBe('before');
    expect(readdirSync(join(root, '.utensil'))).toEqual(['records']);
  });

  it('cannot make the folder that an app will keep its data in, if there is none yet', async () => {
    const { root, run } = boxed();
    const { text } = await run('rmdir .utensil; mkdir -p .utensil/records && echo made; mv .utensil x && echo moved');
    expect(text).not.toMatch(/made|moved/);
    expect(readdirSync(join(root, '.utensil'))).toEqual([]);
    expect(readdirSync(root)).toEqual(['.utensil']);
  });

  it('cannot move a project inside the project away and put one of its own there', async () => {
    const { root, run } = boxed();
    const settings = 'packages/inner/.utensil/settings.json';
    mkdirSync(join(root, 'packages/inner/.utensil'), { recursive: true });
    writeFileSync(join(root, settings), 'before');
    const { text } = await run(
      `for from in packages packages/inner; do mv $from away && mkdir -p packages/inner/.utensil; done
       echo x > ${settings}; cat ${settings}; echo kept > packages/inner/a.txt; echo done`,
    );
    expect(text).toMatch(/done\n$/);
    expect(text).not.toContain('before');
    expect(readFileSync(join(root, settings), 'utf8')).toBe('before');
    expect(readdirSync(join(root, 'packages/inner')).sort()).toEqual(['.utensil', 'a.txt']);
  });

  it('keeps the project’s data out of reach if the app lets it write the directory around the project too', async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'utensil-shell-outside-')));
    const root = join(outside, 'project');
    mkdirSync(join(root, '.utensil'), { recursive: true });
    const { text } = await boxed({ root, writable: [outside] }).run(
      'echo x > .utensil/a; cd ..; mv project away && mkdir -p project/.utensil; echo x > project/.utensil/a; ls -A',
    );
    expect(text).toMatch(/project\n$/);
    expect(readdirSync(join(root, '.utensil'))).toEqual([]);
    rmSync(outside, { recursive: true });
  });

  it('moved a directory between the project and a writable parent, and so replaced the app’s data by its own', async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'utensil-shell-outside-')));
    const root = join(outside, 'packages/web/app');
    mkdirSync(join(root, '.utensil'), { recursive: true });
    const { text } = await boxed({ root, writable: [outside] }).run(
      `cd ${outside}; mv packages/web packages/away; mv packages away; mkdir -p ${root}/.utensil; echo x > ${root}/.utensil/a; ls -A . packages`,
    );
    expect(text).not.toMatch(/^away$/m);
    expect(readdirSync(join(root, '.utensil'))).toEqual([]);
    rmSync(outside, { recursive: true });
  });

  it('cannot take the cover off with namespaces of its own', async () => {
    const { root, run } = boxed();
    mkdirSync(join(root, '.utensil/records'), { recursive: true });
    const { text } = await run(
      `unshare -Um sh -c 'umount -l .utensil && echo off; mount -o remount,rw,bind .utensil && echo x > .utensil/a && echo writable; ls -A .utensil; umount -l . && echo out; echo over'`,
    );
    expect(text).not.toMatch(/^(?:off|writable|out|records)$/m);
    expect(readdirSync(join(root, '.utensil'))).toEqual(['records']);
  });

  it('begins in no directory that is the app’s own', async () => {
    const { root, run } = boxed();
    mkdirSync(join(root, '.utensil/records'), { recursive: true });
    symlinkSync('.utensil', join(root, 'link'));
    for (const cwd of ['.utensil', '.utensil/records', 'link/records'])
      await expect(run('pwd', { cwd })).rejects.toThrow('belongs to the app');
  });

  it('does not reach the network, the machine’s own neither, unless the app says so', async () => {
    const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const get = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`;
    const denied = await boxed().run(get);
    expect(denied.text).toMatch(/refused|unreachable/i);
    expect((await boxed({ network: true }).run(get)).text).toContain('hello');
    server.close();
  });

  it('reaches no socket of a service in a directory that is hidden', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'utensil-shell-socket-'));
    const path = join(directory, 'service');
    const service = createSocket().listen(path);
    await once(service, 'listening');
    expect((await boxed().run(`ls ${path}`)).exit).not.toEqual({ code: 0 });
    service.close();
    rmSync(directory, { recursive: true });
  });

  it('sees no process but its own, and nothing of the app’s environment', async () => {
    const { text } = await boxed().run('ls /proc | grep -c "^[0-9]"; cat /proc/*/environ | tr "\\0" "\\n"');
    expect(Number(text.split('\n')[0])).toBeLessThan(12);
    expect(text).not.toContain('VITEST');
  });

  it('may have as many processes as the app says', async () => {
    expect((await boxed({ limits: { processes: 77 } }).run('ulimit -u')).text).toBe('77\n');
  });

  it('has a terminal where it asks for one, which is not the app’s', async () => {
    const command = await boxed().shell.start({ command: 'stty size; read a; echo "<$a>"', tty: true });
    await readUntil(command, '24 80');
    await command.write('bread\n');
    expect((await outcomeOf(command)).text).toContain('<bread>');
  });

  it.each([
    ['goes into the background', (sleep: string) => `${sleep} & disown; echo ready`],
    [
      'becomes a daemon without an environment',
      (sleep: string) => `env -i setsid setsid ${sleep} & sleep 0.1; echo ready`,
    ],
  ])('ends with its child processes, also with one that %s', async (_, commandOf) => {
    const sleep = nap();
    expect((await boxed().run(commandOf(sleep))).text).toContain('ready');
    await expect.poll(() => alive(sleep)).toBe(0);
  });

  it.each([
    ['ends', 'process.exit(0)'],
    ['is killed', 'process.kill(process.pid, "SIGKILL")'],
  ])('ends when the app %s', async (_, last) => {
    const sleep = nap();
    const command = `env -i setsid ${sleep} & ${sleep} & echo ready; ${sleep}`;
    expect(await endApp({ sandbox: 'required', bubblewrap: program }, { command, last })).toContain('ready');
    await expect.poll(() => alive(sleep)).toBe(0);
  });

  it('is refused if the app names a path that is not there, which is not told', async () => {
    const missing = boxed({ readable: ['/nowhere/at/all'] }).run('ls');
    await expect(missing).rejects.toThrow("A path in the shell's sandbox options does not exist.");
  });

  it('is asked to end before it is killed', async () => {
    const { shell } = boxed({ limits: { graceMs: 10_000 } });
    const command = await shell.start({ command: `trap 'echo bye; exit 0' TERM; echo ready; ${nap()} & wait` });
    await readUntil(command, 'ready');
    await command.kill();
    expect(await outcomeOf(command)).toMatchObject({ text: 'bye\n', exit: { code: 0 } });
  });

  it('is killed with a crowd that ignores all requests', async () => {
    const sleep = nap();
    const many = `for i in 1 2 3 4 5 6 7 8; do (trap '' TERM INT HUP; setsid ${sleep}) & done`;
    const command = await boxed().shell.start({ command: `trap '' TERM INT HUP; ${many}; echo ready; wait` });
    await readUntil(command, 'ready');
    await command.kill();
    expect((await outcomeOf(command)).exit).toEqual({ signal: 'SIGKILL' });
    await expect.poll(() => alive(sleep)).toBe(0);
  });

  it('is interrupted as by Ctrl-C', async () => {
    const command = await boxed().shell.start({
      command: `trap 'echo caught; exit 7' INT; echo ready; ${nap()} & wait`,
    });
    await readUntil(command, 'ready');
    await command.interrupt();
    expect(await outcomeOf(command)).toMatchObject({ text: 'caught\n', exit: { code: 7 } });
  });

  it('is refused where the project would be the whole machine', async () => {
    await expect(boxed({ root: '/' }).run('ls')).rejects.toThrow('cannot be sandboxed');
  });

  it('has its sandbox told to people and models', () => {
    expect(boxed().shell.sandbox).toBe(
      'only the project can be changed, home directories are hidden, and the network cannot be reached',
    );
    expect(boxed({ network: true, writable: ['/x'] }).shell.sandbox).toBe(
      'only the project and directories chosen by the app can be changed, home directories are hidden, and the network can be reached',
    );
    expect(open().shell.sandbox).toBeUndefined();
  });
});
