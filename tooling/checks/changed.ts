// Selects the tests most likely to break by a change: those of the changed members, and of packages that depend on them
// at run time. Apps and tooling depend on nearly everything, so only `npm test` runs their tests.

import { spawnSync } from 'node:child_process';
import type { Manifest } from '../workspace/manifest.ts';
import { type Member, readMembers } from '../workspace/members.ts';

/** Tests of code in documents, and of other things that documents claim. */
const snippets = 'tooling/doctest/.doctest/';
const documents = ['tooling/doctest/', 'tooling/documents/'];

/** Path filters for Vitest with the tests for changes since a commit; undefined for all tests. */
export function affectedTests(root: string, since?: string): readonly string[] | undefined {
  return testsOf(readMembers(root), changedFiles(root, since));
}

/** Folders to lint, of the members whose tests run: their types may depend on the changes. */
export function foldersToLint(tests: readonly string[]): readonly string[] {
  return tests.filter((path) => /^(?:packages|apps)\//.test(path));
}

/** Files that differ from a commit, or from the merge base with `main`, new files included. */
export function changedFiles(root: string, since?: string): readonly string[] {
  const start = since ?? (forkOf(root, 'main') || forkOf(root, 'origin/main') || 'HEAD');
  const changed = git(root, 'diff', '--name-only', '--no-renames', '--relative', start);
  const added = git(root, 'ls-files', '--others', '--exclude-standard');
  if (changed === undefined || added === undefined)
    throw new Error(`git cannot tell the changes since ${start}: name another commit.`);
  return [...new Set(`${changed}\n${added}`.split('\n').filter(Boolean))].sort();
}

/** Paths of the tests for changed files; undefined if a file may affect any test. */
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

/** Folders of a member, and of all packages that depend on it at run time. */
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

/** Output of git; undefined if it fails. */
function git(root: string, ...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return status === 0 ? stdout : undefined;
}
