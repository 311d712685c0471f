import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../checks/commands.ts';
import { fixture } from '../fixtures/workspace/fixture.ts';

const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.node-version', 'tooling/bootstrap/main.mjs'];
const unreachable = 'http://127.0.0.1:9';

/** Runs the bootstrap of a clone that has nothing yet, on a machine without a network. */
function bootstrap(folder: string, ...words: readonly string[]) {
  rmSync(join(folder, 'node_modules'));
  return spawnSync(process.execPath, [join(folder, 'tooling/bootstrap/main.mjs'), ...words], {
    encoding: 'utf8',
    env: {
      ...process.env,
      npm_config_registry: unreachable,
      npm_config_fetch_retries: '0',
      npm_config_cache: join(folder, '.npm'),
      pnpm_config_registry: unreachable,
      pnpm_config_fetch_retries: '0',
      pnpm_config_store_dir: join(folder, '.store'),
    },
  });
}

describe('without a network', () => {
  test('names the Node.js that it could not fetch', () => {
    const manifest = { engines: { node: '^99.0.0' }, packageManager: 'pnpm@12.18.0' };
    const { status, stderr } = bootstrap(fixture({ 'package.json': manifest }, files.slice(1)));
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /bootstrap: node\S+@\d+\.\d+\.\d+ could not be fetched from the npm registry:\n.*ECONNREFUSED/,
    );
  });

  test('names the pnpm that it could not fetch', () => {
    const { status, stderr } = bootstrap(fixture({}, files));
    expect(status).toBe(1);
    expect(stderr).toMatch(/bootstrap: pnpm@\d+\.\d+\.\d+ could not be fetched from the npm registry:\n.*ECONNREFUSED/);
  });

  test('says why the dependencies could not be installed', () => {
    const folder = fixture({}, files);
    symlinkSync(join(root, '.toolchain'), join(folder, '.toolchain'), 'junction');
    const { status, stderr } = bootstrap(folder);
    expect(status).toBe(1);
    expect(stderr).toContain('bootstrap: the dependencies could not be installed; pnpm says:');
    expect(stderr).toContain(unreachable);
  });
});

test('passes arguments and the exit code on unchanged', () => {
  const manifest = { private: true, engines: { node: '>=1.0.0' }, packageManager: 'pnpm@12.18.0' };
  const program = 'console.log(JSON.stringify(process.argv.slice(2)));\nprocess.exitCode = 7;\n';
  const lockfile = "lockfileVersion: '9.0'\nimporters:\n  .: {}\n";
  const own = { 'package.json': manifest, 'pnpm-lock.yaml': lockfile, 'pnpm-workspace.yaml': 'pmOnFail: ignore\n' };
  const folder = fixture({ ...own, 'a.mjs': program }, files.slice(3));
  symlinkSync(join(root, '.toolchain'), join(folder, '.toolchain'), 'junction');
  const words = ['--yes', 'two words', 'two\nlines', '"quoted" $HOME `a` \\'];
  const { status, stdout } = bootstrap(folder, 'a.mjs', ...words);
  expect(JSON.parse(stdout)).toEqual(words);
  expect(status).toBe(7);
});

describe('the scripts of package.json', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };

  test('all start with the bootstrap, and name programs that there are', () => {
    for (const [name, script] of Object.entries(scripts))
      for (const command of script.split(' && ')) {
        if (command === 'node tooling/bootstrap/main.mjs --update-lockfile') continue; // runs nothing but the installation
        const [, program = ''] = /^(?:LONG=1 )?node tooling\/bootstrap\/main\.mjs (?:--\S+ )?(\S+)/.exec(command) ?? [];
        expect([name, program !== '' && existsSync(join(root, program))]).toEqual([name, true]);
      }
  });

  test('work with nothing but Node.js and npm on the PATH', () => {
    const folder = fixture({});
    const place = process.env['PATH']?.split(delimiter).find((each) => existsSync(join(each, 'npm'))) ?? '';
    symlinkSync(process.execPath, join(folder, 'node'));
    symlinkSync(realpathSync(join(place, 'npm')), join(folder, 'npm'));
    const PATH = [folder, '/usr/bin', '/bin'].join(delimiter);
    const { status, stdout } = spawnSync(join(folder, 'npm'), ['run', '--silent', 'check', '--', 'format'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, PATH },
    });
    expect(stdout).toMatch(/format \([\d.]+ s\)\n(?:.*\n)*checks: \d passed, \d failed, 0 skipped\n/);
    expect(status).toBe(stdout.includes('checks: 1 passed') ? 0 : 1);
  });
});
