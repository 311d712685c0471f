// The tests that a change is the most likely to break: those of the members that it touches, and of the packages that need
// those when they run. The apps need every package, and tests use most of them: `npm test` tries these.

import { spawnSync } from 'node:child_process';
import type { Manifest } from '../workspace/manifest.ts';
import { type Member, readMembers } from '../workspace/members.ts';

/** Tests of the code that stands in documents, and of what else does. */
const snippets = 'tooling/doctest/.doctest/';
const documents = ['tooling/doctest/', 'tooling/documents/'];

/** Paths, as filters of Vitest, of the tests for the changes since a commit; undefined for all tests. */
export function affectedTests(root: string, since?: string): readonly string[] | undefined {
  return testsOf(readMembers(root), changedFiles(root, since));
}

/** The files that differ from a commit, or from the one at which this branch left `main`; those that are new as well. */
export function changedFiles(root: string, since?: string): readonly string[] {
  const start = since ?? (forkOf(root, 'main') || forkOf(root, 'origin/main') || 'HEAD');
  const changed = git(root, 'diff', '--name-only', '--no-renames', '--relative', start);
  const added = git(root, 'ls-files', '--others', '--exclude-standard');
  if (changed === undefined || added === undefined)
    throw new Error(`git cannot tell the changes since ${start}: name another commit.`);
  return [...new Set(`${changed}\n${added}`.split('\n').filter(Boolean))].sort();
}

/** Of changed files, the paths of the tests to run; undefined if one of them may change any test. */
export function testsOf(members: readonly Member[], paths: readonly string[]): readonly string[] | undefined {
  const packages = members.filter(({ folder }) => folder !== 'tooling');
  const folders = new Set<string>();
  for (const path of paths) {
    const owner = packages.find(({ folder }) => path.startsWith(`${folder}/`));
    if (owner !== undefined) for (const each of neighbours(packages, owner)) folders.add(each);
    if (owner?.folder.startsWith('packages/')) folders.add(snippets);
    if (path.endsWith('.md')) for (const each of documents) folders.add(each);
    else if (owner === undefined) return undefined;
  }
  return [...folders].sort();
}

/** The folders of a member, and of all packages that need it when they run. */
function neighbours(members: readonly Member[], owner: Member): readonly string[] {
  const packages = members.filter(({ folder }) => folder.startsWith('packages/'));
  const found = new Set([owner]);
  for (const each of found)
    for (const member of packages) if (needsAtRunTime(member.manifest, each.manifest.name)) found.add(member);
  return [...found].map(({ folder }) => `${folder}/`);
}

function needsAtRunTime({ dependencies = {}, peerDependencies = {} }: Manifest, name: string): boolean {
  return name in dependencies || name in peerDependencies;
}

function forkOf(root: string, branch: string): string | undefined {
  return git(root, 'merge-base', 'HEAD', branch)?.trim();
}

/** What git prints; undefined if it fails. */
function git(root: string, ...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return status === 0 ? stdout : undefined;
}
