import { expect, it } from 'vitest';
import { environmentOf } from './environment.ts';

const usual = { shell: '/bin/bash', tty: false, sandboxed: false, more: {} };

it('passes only known harmless variables of the environment to commands', () => {
  const own = {
    PATH: '/bin',
    HOME: '/home/me',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    ANTHROPIC_API_KEY: 'secret',
    AWS_SECRET_ACCESS_KEY: 'secret',
    DATABASE_URL: 'postgres://me:secret@db/',
    HTTPS_PROXY: 'http://me:secret@proxy/',
    SSH_AUTH_SOCK: '/run/agent',
    NODE_OPTIONS: '--require /x.js',
    LD_PRELOAD: '/x.so',
    BASH_ENV: '/x.sh',
    'BASH_FUNC_ls%%': '() { :; }',
    LC_x: 'secret',
    USER: undefined,
  };
  const env = environmentOf(own, usual);
  expect(env).toEqual({
    PATH: '/bin',
    HOME: '/home/me',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    SHELL: '/bin/bash',
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
  });
});

it('gives them what the app says, a terminal its name, and a sandbox its own directory for temporary files', () => {
  const env = environmentOf({ TMPDIR: '/var/me' }, { ...usual, tty: true, sandboxed: true, more: { CI: '1' } });
  expect(env).toEqual({ SHELL: '/bin/bash', TERM: 'xterm-256color', TMPDIR: '/tmp', CI: '1' });
});
