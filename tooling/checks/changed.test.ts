import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedFiles, foldersToLint, testsOf } from './changed.ts';
import { root } from './commands.ts';
import { fixture } from '../fixtures/workspace/fixture.ts';
import { readMembers } from '../workspace/members.ts';

const members = [
  { folder: 'packages/core', manifest: { name: 'core', version: '1.0.0' } },
  { folder: 'packages/storage', manifest: { name: 'storage', version: '1.0.0', peerDependencies: { core: '1' } } },
  { folder: 'packages/tool', manifest: { name: 'tool', version: '1.0.0', devDependencies: { storage: '1' } } },
  { folder: 'packages/view', manifest: { name: 'view', version: '1.0.0', dependencies: { storage: '1' } } },
  { folder: 'apps/demo', manifest: { name: 'demo', version: '1.0.0', dependencies: { storage: '1', tool: '1' } } },
  { folder: 'tooling', manifest: { name: 'root', version: '1.0.0', devDependencies: { demo: '1' } } },
];

const snippets = 'tooling/doctest/.doctest/';

test('a change runs the tests of its package, of the packages that need it, and the code in documents', () => {
  const above = ['packages/storage/', 'packages/view/', snippets];
  expect(testsOf(members, ['packages/storage/src/a.ts'])).toEqual(above);
  expect(testsOf(members, ['packages/core/src/a.ts'])).toEqual(['packages/core/', ...above]);
});

test('a change lints the packages whose tests it runs', () => {
  const linted = (...paths: readonly string[]) => foldersToLint(testsOf(members, paths) ?? []);
  expect(linted('packages/storage/src/a.ts')).toEqual(['packages/storage/', 'packages/view/']);
  expect(linted('apps/demo/src/a.ts')).toEqual(['apps/demo/']);
  expect(linted('docs/a.md')).toEqual([]);
});

test('a change of a package runs no app, which needs them all, and one of an app runs its own tests', () => {
  expect(testsOf(members, ['packages/tool/src/a.ts'])).toEqual(['packages/tool/', snippets]);
  expect(testsOf(members, ['apps/demo/src/a.ts'])).toEqual(['apps/demo/']);
});

test('a change of a document runs what stands in it, and one outside of all packages runs everything', () => {
  expect(testsOf(members, ['docs/a.md'])).toEqual(['tooling/doctest/', 'tooling/documents/']);
  expect(testsOf(members, ['apps/demo/README.md'])).toContain('tooling/doctest/');
  expect(testsOf(members, ['apps/demo/src/a.ts', 'pnpm-lock.yaml'])).toBeUndefined();
  expect(testsOf(members, ['tooling/fixtures/attacks/attack.ts'])).toBeUndefined();
  expect(testsOf(members, [])).toEqual([]);
});

test('a change of the package that all need runs the tests of all packages', () => {
  const tests = testsOf(readMembers(root), ['packages/core/src/tool.ts']) ?? [];
  const all = readMembers(root).filter(({ folder }) => folder.startsWith('packages/'));
  expect(all.map(({ folder }) => `${folder}/`).filter((folder) => !tests.includes(folder))).toEqual([]);
});

test('finds committed, uncommitted and untracked changes of a branch', () => {
  const folder = fixture({
    'packages/a/package.json': { name: 'a' },
    'packages/b/package.json': { name: 'b' },
    'packages/b/src/b.ts': '1',
  });
  const git = (...words: readonly string[]): void => {
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
    const { status, stderr } = spawnSync('git', [...identity, ...words], { cwd: folder, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  };
  git('init', '--quiet', '--initial-branch=main');
  git('add', 'packages');
  git('commit', '--quiet', '--message=one');
  git('checkout', '--quiet', '-b', 'branch');
  const ours = (since?: string): readonly string[] =>
    changedFiles(folder, since).filter((path) => path.startsWith('packages/'));
  expect(ours()).toEqual([]);
  writeFileSync(join(folder, 'packages/a/new.ts'), '1');
  git('add', 'packages');
  git('commit', '--quiet', '--message=two');
  writeFileSync(join(folder, 'packages/b/src/b.ts'), '2');
  writeFileSync(join(folder, 'packages/b/src/c.ts'), '3');
  expect(ours()).toEqual(['packages/a/new.ts', 'packages/b/src/b.ts', 'packages/b/src/c.ts']);
  expect(ours('HEAD')).toEqual(['packages/b/src/b.ts', 'packages/b/src/c.ts']);
  expect(() => changedFiles(folder, 'nothing')).toThrow('since nothing: name another commit');
});
