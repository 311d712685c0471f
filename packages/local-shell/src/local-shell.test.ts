// Behavior of all commands, without a sandbox. sandbox.test.ts covers bubblewrap.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isUtensilError } from '@utensil/core';
import { afterEach, describe, expect, it } from 'vitest';
import { localShell } from './local-shell.ts';
import { alive, endApp, nap, outcomeOf, readUntil, shells } from './test-kit/shells.ts';

const { open, close } = shells();
afterEach(close);

/** For machines with much else to do. */

const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return isUtensilError(error) ? `${error.code}: ${error.message}` : `no failure of ours: ${String(error)}`;
};

describe('a command', () => {
  it('gives its output and its exit code, errors among the rest in their order', async () => {
    const { run } = open();
    const { text, exit } = await run('echo 1; echo 2 >&2; echo 3; echo 4 > /dev/stderr; exit 5');
    expect([text, exit]).toEqual(['1\n2\n3\n4\n', { code: 5 }]);
  });

  it('reports the signal that ended it', async () => {
    expect((await open().run('kill -KILL $$')).exit).toEqual({ signal: 'SIGKILL' });
  });

  it('runs in the shell that the app names, as a login shell unless it says no', async () => {
    expect((await open({ shell: '/bin/sh' }).run('echo $0')).text).toBe('/bin/sh\n');
    const { run } = open({ shell: '/bin/bash', login: true });
    expect((await run('shopt -q login_shell && echo login')).text).toContain('login');
  });

  it('reads what is written to it, in pieces, until its input is closed', async () => {
    const command = await open().shell.start({ command: 'cat; echo over' });
    await command.write('a');
    await readUntil(command, 'a');
    await command.write('b\n');
    await command.end();
    expect(await outcomeOf(command)).toMatchObject({ text: 'b\nover\n', exit: { code: 0 } });
    expect(await failure(command.write('c'))).toContain('EBADF: The input of the command is closed.');
  });

  it('may close its input itself: what is written then is lost, and harms nobody', async () => {
    const { shell } = open();
    const command = await shell.start({ command: 'exec 0<&-; echo closed; read x <&9; sleep 0.2; echo over' });
    const before = await readUntil(command, 'closed');
    await command.write('x'.repeat(100_000)).catch(() => undefined);
    expect(before + (await outcomeOf(command)).text).toContain('over');
  });

  it('is written no more than may wait for it', async () => {
    const { shell } = open({ limits: { inputCharacters: 200_000 } });
    const command = await shell.start({ command: nap() });
    await command.write('x'.repeat(150_000));
    expect(await failure(command.write('x'.repeat(150_000)))).toContain('EBUSY: The command does not read its input');
  });

  it('is interrupted as by Ctrl-C', async () => {
    const command = await open().shell.start({
      command: `trap 'echo caught; exit 7' INT; echo ready; ${nap()} & wait`,
    });
    await readUntil(command, 'ready');
    await command.interrupt();
    expect(await outcomeOf(command)).toMatchObject({ text: 'caught\n', exit: { code: 7 } });
  });

  it('has a terminal where it asks for one', async () => {
    const command = await open().shell.start({ command: 'tty; stty size; read a; echo "<$a>"; exit 3', tty: true });
    await readUntil(command, '24 80');
    await command.write('bread\n');
    const { text, exit } = await outcomeOf(command);
    expect(text).toContain('<bread>');
    expect(exit).toEqual({ code: 3 });
    expect((await open().run('tty')).text).toContain('not a tty');
  });

  it('in a terminal is interrupted by the key', async () => {
    const command = await open().shell.start({ command: `echo ready; ${nap()}`, tty: true });
    await readUntil(command, 'ready');
    await command.interrupt();
    expect((await outcomeOf(command)).exit).toEqual({ code: 130 });
  });
});

describe('output', () => {
  it('that never ends is bounded: the last of it is kept, and the rest counted', async () => {
    const { shell } = open({ limits: { outputCharacters: 10_000 } });
    const command = await shell.start({ command: 'yes' });
    let dropped = 0;
    for (let reads = 0; reads < 1_000 && dropped < 1_000_000; reads++) {
      const read = await command.read(new AbortController().signal);
      expect(read.text.length).toBeLessThanOrEqual(10_000);
      dropped += read.dropped;
    }
    expect(dropped).toBeGreaterThanOrEqual(1_000_000);
    await command.kill();
    expect(await outcomeOf(command)).toMatchObject({ exit: { signal: 'SIGTERM' } });
  });

  it('may be one huge line', async () => {
    const { text, dropped } = await open({ limits: { outputCharacters: 1_000 } }).run(
      `head -c 3000000 /dev/zero | tr '\\0' x; echo end`,
    );
    expect(text.length + dropped).toBe(3_000_004);
    expect(text.endsWith('xend\n')).toBe(true);
  });

  it('that is not UTF-8 is text all the same, and a letter in two pieces is one', async () => {
    const { run } = open();
    expect((await run(String.raw`printf 'a\377\300b'`)).text).toBe('a\ufffd\ufffdb');
    expect((await run(String.raw`printf '\303'; sleep 0.1; printf '\251'`)).text).toBe('é');
  });

  it('is handed out at once, not only at the end', async () => {
    const command = await open().shell.start({ command: `echo now; ${nap()}` });
    expect(await readUntil(command, 'now')).toBe('now\n');
  });

  it('is waited for no longer than the reader says', async () => {
    const command = await open().shell.start({ command: nap() });
    expect(await command.read(AbortSignal.abort())).toEqual({ text: '', dropped: 0 });
  });
});

describe('the end of a command', () => {
  const ways = (sleep: string): readonly (readonly [string, string])[] => [
    ['in the background', `${sleep} & echo ready`],
    ['disowned', `${sleep} & disown; echo ready`],
    ['ignoring hang-ups', `nohup ${sleep} > /dev/null 2>&1 & echo ready`],
    ['in a session of its own', `setsid ${sleep} & sleep 0.1; echo ready`],
    ['as a daemon', `(setsid setsid ${sleep} < /dev/null > /dev/null 2>&1 &) ; sleep 0.1; echo ready`],
  ];

  it.each(ways('').map(([way], index) => [way, index] as const))(
    'is the end of what it has started %s',
    async (_, index) => {
      const sleep = nap();
      const { text } = await open().run(ways(sleep)[index]?.[1] ?? '');
      expect(text).toContain('ready');
      await expect.poll(() => alive(sleep)).toBe(0);
    },
  );

  it('comes by kill also to one that started others which went away, and ignores all requests', async () => {
    const sleep = nap();
    const command = await open().shell.start({
      command: `trap '' TERM INT HUP; setsid ${sleep} & echo ready; while :; do ${sleep}; done`,
    });
    await readUntil(command, 'ready');
    await command.kill();
    expect((await outcomeOf(command)).exit).toEqual({ signal: 'SIGKILL' });
    await expect.poll(() => alive(sleep)).toBe(0);
  });

  it('lets one that is asked to end clean up', async () => {
    const { shell } = open({ limits: { graceMs: 10_000 } });
    const command = await shell.start({ command: `trap 'echo bye; exit 0' TERM; echo ready; ${nap()} & wait` });
    await readUntil(command, 'ready');
    await command.kill();
    expect(await outcomeOf(command)).toMatchObject({ text: 'bye\n', exit: { code: 0 } });
  });

  it('comes when its time is over, and says so', async () => {
    const { exit } = await open({ limits: { lifetimeMs: 300 } }).run(nap());
    expect(exit).toEqual({ signal: 'SIGTERM', reason: 'Timeout after 0.3 seconds.' });
  });

  it('comes while it writes, and while it is written to', async () => {
    const command = await open().shell.start({ command: 'yes & cat > /dev/null' });
    await readUntil(command, 'y\n');
    const writing = Promise.allSettled(Array.from({ length: 50 }, async () => command.write('x'.repeat(10_000))));
    await Promise.all([command.kill(), command.kill(), writing]);
    expect((await outcomeOf(command)).exit).toEqual({ signal: 'SIGTERM' });
  });

  it('comes with the end of the shell, for twenty at once; one more was refused', async () => {
    const { shell, run } = open({ limits: { commands: 20 } });
    const sleep = nap();
    await Promise.all(Array.from({ length: 20 }, async () => shell.start({ command: sleep })));
    expect(await failure(shell.start({ command: 'ls' }))).toBe(
      'EBUSY: 20 commands are running, which is the limit: wait for one, or stop one.',
    );
    await expect.poll(() => alive(sleep)).toBe(20);
    await shell.close();
    await expect.poll(() => alive(sleep)).toBe(0);
    expect(await failure(run('ls'))).toBe('EBADF: The shell is closed.');
  });

  it('comes also for one that was just being started', async () => {
    const { shell } = open();
    const sleep = nap();
    const starting = failure(shell.start({ command: sleep }));
    await shell.close();
    expect(await starting).toBe('EBADF: The shell is closed.');
    await expect.poll(() => alive(sleep)).toBe(0);
  });

  it.each([
    ['ends', 'setTimeout(() => process.exit(0), 100)'],
    ['fails', 'setTimeout(() => { throw new Error("on purpose"); }, 100)'],
    ['is killed', 'process.kill(process.pid, "SIGKILL")'],
  ])('comes when the app %s', async (_, last) => {
    const sleep = nap();
    const command = `setsid ${sleep} & ${sleep} & echo ready; ${sleep}`;
    expect(await endApp({ sandbox: 'none' }, { command, last })).toContain('ready');
    await expect.poll(() => alive(sleep)).toBe(0);
  });
});

describe('a session', () => {
  it('is found until its end was read', async () => {
    const { shell } = open();
    const command = await shell.start({ command: 'cat' });
    expect(shell.find(command.id)).toBe(command);
    await command.end();
    await outcomeOf(command);
    expect([shell.find(command.id), shell.find('')]).toEqual([undefined, undefined]);
  });

  it('that has ended unread is kept, and makes room for others in the end', async () => {
    const { shell, run } = open({ limits: { commands: 2 } });
    const first = await shell.start({ command: 'echo kept' });
    await expect.poll(async () => (await first.read(AbortSignal.abort())).text === '').toBe(true);
    for (let round = 0; round < 5; round++) expect((await run('echo other')).text).toBe('other\n');
  });
});

describe('the directory of a command', () => {
  it('is the root, or one below it', async () => {
    const { root, run } = open();
    mkdirSync(join(root, 'src'));
    symlinkSync('src', join(root, 'link'));
    expect((await run('pwd')).text).toBe(`${root}\n`);
    expect((await run('pwd -P', { cwd: 'src' })).text).toBe(`${root}/src\n`);
    expect((await run('pwd -P', { cwd: 'link/../src/.' })).text).toBe(`${root}/src\n`);
    expect((await run('pwd -P', { cwd: `${root}/src` })).text).toBe(`${root}/src\n`);
  });

  it.each([
    ['..', 'EACCES: The directory ".." is outside the project.'],
    ['src/../..', 'EACCES: The directory "src/../.." is outside the project.'],
    ['out', 'EACCES: The directory "out" is outside the project.'],
    ['out/home', 'EACCES: The directory "out/home" is outside the project.'],
    ['/', 'EACCES: The directory "/" is outside the project.'],
    ['/nowhere', 'EACCES: The directory "/nowhere" is outside the project.'],
    ['src\0', 'EINVAL: "src\0" is not a valid directory name.'],
    ['nowhere', 'ENOENT: There is no directory "nowhere".'],
    ['file', 'ENOTDIR: "file" is not a directory.'],
  ])('is not %j', async (cwd, expected) => {
    const { root, run } = open();
    mkdirSync(join(root, 'src'));
    mkdirSync(join(root, '..dots'));
    writeFileSync(join(root, 'file'), '');
    symlinkSync('/', join(root, 'out'));
    expect(await failure(run('pwd', { cwd }))).toBe(expected);
    expect((await run('pwd', { cwd: '..dots' })).exit).toEqual({ code: 0 });
  });
});

describe('what commands know', () => {
  it('is not a secret of the app', async () => {
    const { text } = await open({ env: { OWN: 'mine' } }).run('env');
    const names = text.split('\n').map((line) => line.split('=')[0]);
    expect(text).toContain('OWN=mine');
    const unknown = Object.keys(process.env).filter((name) => names.includes(name));
    const harmless =
      /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TERM|NO_COLOR|PAGER|GIT_PAGER|SHELL|PWD|OLDPWD|SHLVL|_|GIT_TERMINAL_PROMPT)$/;
    expect(unknown.filter((name) => !harmless.test(name))).toEqual([]);
  });
});

describe('what cannot be started', () => {
  it('is refused in words', async () => {
    expect(await failure(open({ shell: '/nowhere/sh' }).run('ls'))).toContain(
      'EIO: The command could not be started: ENOENT',
    );
    expect(await failure(open().run('ls\0'))).toBe('EINVAL: The command contains a NUL character.');
    expect(await failure(open({ root: '/nowhere/at/all' }).run('ls'))).toBe(
      'ENOENT: The directory of the project does not exist.',
    );
    expect(await failure(open().run(`: ${'x'.repeat(3_000_000)}`))).toContain(
      'EIO: The command could not be started: E2BIG',
    );
  });

  it('is a shell with a limit that is none', () => {
    for (const lifetimeMs of [-1, 0.5, Number.NaN, Infinity, 2 ** 31])
      expect(() => localShell({ root: '.', limits: { lifetimeMs } })).toThrow(
        'The limit "lifetimeMs" of a shell must be a whole number',
      );
  });

  it('is a command that should have a sandbox if there is none', async () => {
    const { run, shell } = open({ sandbox: 'required', bubblewrap: '/nowhere/bwrap' });
    expect(await failure(run('touch x'))).toContain(
      'ENOENT: Commands run in a sandbox only, and bubblewrap is missing.',
    );
    expect(shell.sandbox).toBeDefined();
  });
});
