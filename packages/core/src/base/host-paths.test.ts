import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UtensilError } from './errors.ts';
import { messageForModel } from './host-paths.ts';

/** An error without a stack, so that where these tests lie says nothing. */
function error(message: string, more: object = {}): Error {
  return Object.assign(new Error(message), { stack: `Error: ${message}`, ...more });
}

it.each([
  ["ENOENT: no such file or directory, open '/home/user/.config/x'", "open '[path]'"],
  ["ENOENT: no such file or directory, open '/data/keys/id'", "open '[path]'"],
  ["EXDEV: cross-device link not permitted, rename '/site/a' -> '/data/b'", "rename '[path]' -> '[path]'"],
  ['cannot read C:\\Users\\Jane Doe\\key.pem: denied', 'cannot read [path]: denied'],
  ['cannot read D:/build/secret.txt', 'cannot read [path]'],
  ['no access to \\\\server\\share\\x.txt', 'no access to [path]'],
  ['Cannot find module file:///site/app/x.mjs', 'Cannot find module [path]'],
  ['bad file:///C:/Users/x/a%20b.js', 'bad [path]'],
  ['at "/Users/Jane Doe/My Files/a.txt"', 'at "[path]"'],
  ['at /Users/Jane Doe/a.txt', 'at [path]'],
  ['not in /data/bin:/home/user/bin', 'not in /data/bin:[path]'],
  ['PATH=/home/user/bin', 'PATH=[path]'],
  ['needed by /site/x/node_modules/y/index.js', 'needed by [path]'],
  ['failed (/site/x/tool.js:12:7)', 'failed ([path])'],
  ['connect ENOENT /run/user/1000/bus', 'connect ENOENT [path]'],
  ['in /proc/12/environ, /nix/store/abc and /Volumes/Disk/x', 'in [path], [path] and [path]'],
])('a model read where the host keeps its files: %s', (message, shown) => {
  expect(messageForModel(error(message))).toContain(shown);
  expect(messageForModel(error(message))).not.toMatch(/user|Jane|Doe|keys|site|server|build|abc|Disk/);
});

it.each([
  "no column x in /data/a.csv, and none in '/data/b c.csv'",
  'POST /v1/models failed with 404',
  'https://bank.example/home/user and http://x/usr/a:80',
  'see src/home/index.ts, ./usr/x, ../opt/y and a/var/b',
  '3/4 and/or 1/2, at 12:30, s/a/b/, a: /x/',
  '/notes/todo.md:12 is no heading',
  '/skills/a.md -> /lib/b.js',
  'application/json is not text/html',
])('what names no path of the host stays unchanged: %s', (message) => {
  expect(messageForModel(error(message))).toBe(message);
});

it('a path below the place where the program runs was shown', () => {
  const stack = 'Error: no\n    at run (/srv-app/tools/x.js:1:2)\n    at async file:///apps/core/y.js:3:4';
  const message = 'cannot open /srv-app/data/db.sqlite or /apps/x, but /data/a.csv';
  expect(messageForModel(error(message, { stack }))).toBe('cannot open [path] or [path], but /data/a.csv');
});

it('a path that a system error names is taken out wherever it lies', () => {
  const thrown = error('Could not load settings of /data/own/a: gone, /data/own/b stays', {
    path: '/data/own/a',
    dest: '/elsewhere',
  });
  expect(messageForModel(thrown)).toBe('Could not load settings of [path]: gone, /data/own/b stays');
});

it('shows what the model wrote itself, and nothing above it', () => {
  const known = JSON.stringify({ path: '/home/notes/a.md' });
  expect(messageForModel(error('no heading in /home/notes/a.md.'), known)).toBe('no heading in /home/notes/a.md.');
  expect(messageForModel(error('no heading in /home/user/home/notes/a.md'), known)).toBe('no heading in [path]');
});

it('leaves Utensil errors unchanged, and accepts any thrown value', () => {
  expect(messageForModel(new UtensilError('ENOENT', 'ENOENT: /home/notes.md is not there.'))).toContain(
    '/home/notes.md',
  );
  expect(messageForModel({ path: '/home/user/x' })).toBe('{"path":"[path]"}');
  expect(messageForModel('in /home/user/x')).toBe('in [path]');
  expect(messageForModel(undefined)).toBe('undefined');
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
    },
  );
  expect(messageForModel(trap)).not.toContain('no');
});

it('shows no name below a home directory, whatever stands around it', () => {
  const part = fc.stringMatching(/^[\w.-]{1,12}$/);
  const around = fc.constantFrom(' ', '"', "'", '(', '=', ':', ', ', '\n', '[', '`');
  fc.assert(
    fc.property(part, part, around, (user, file, before) => {
      const secret = `zq${user}/zq${file}`;
      expect(messageForModel(error(`failed${before}/home/${secret}`))).not.toContain('zq');
    }),
  );
});

it('a foreign message of any length was scanned as a whole', () => {
  const long = new Error(`ENOENT: no such file, open '/srv/app/.env' ${'x'.repeat(1_000_000)}`);
  expect(messageForModel(long)).toMatch(/^ENOENT: no such file, open '\[path\]' x+$/);
  expect(messageForModel(long).length).toBeLessThanOrEqual(100_000);
});

it('a long message of a stranger blocked the program while its stack lines were looked for', () => {
  const long = 100_000;
  const hostile = ['\n', ' ', '/a ', "'/", '@/a/', ' a\\', 'EAA: ', '\\\\a', ':/a,', '/a:'].map((piece) =>
    piece.repeat(long),
  );
  hostile.push(`/home/${'.'.repeat(2 * long)}x`);
  for (const message of hostile) expect(messageForModel(new Error(message)).length).toBeGreaterThan(0);
}, 20_000);
