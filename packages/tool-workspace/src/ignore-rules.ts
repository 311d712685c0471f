import { ancestorsOf, joinPath, nameOf } from '@utensil/core';
import { ignorePatterns } from './ignore-pattern.ts';
import type { IgnorePattern } from './ignore-pattern.ts';
import { readOne } from './reader.ts';
import type { FileReader } from './reader.ts';

/** Directories that hold nothing which people have written, whatever a `.gitignore` says of them. */
const neverShown: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj']);

/** Directories that are left out unless a `.gitignore` says otherwise. */
const ignoredDirectories: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'dist',
  'build',
  'coverage',
  'target',
  '.next',
  '.nuxt',
  '.turbo',
  '.cache',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.venv',
  'venv',
  '.gradle',
]);

/** Files that are left out unless a `.gitignore` says otherwise. */
const ignoredFiles: ReadonlySet<string> = new Set(['.DS_Store', 'Thumbs.db']);

const mostRules = 256 * 1024;

const decoder = /* @__PURE__ */ new TextDecoder();

/** What is left out of listings and searches, in a directory and below it. */
export interface IgnoreRules {
  isIgnored(path: string, kind: 'file' | 'directory'): boolean;
  /** The rules within a directory below, where those of its own `.gitignore` count more than these. */
  within(directory: string, text: string): IgnoreRules;
}

/** Leaves out nothing but what is never shown. */
export const noRules: IgnoreRules = {
  isIgnored: (path) => neverShown.has(nameOf(path)),
  within: () => noRules,
};

interface Layer {
  readonly directory: string;
  /** The last one that matches counts. */
  readonly patterns: readonly IgnorePattern[];
}

function rulesOf(layers: readonly Layer[]): IgnoreRules {
  return {
    isIgnored(path, kind) {
      const name = nameOf(path);
      if (neverShown.has(name)) return true;
      for (const { directory, patterns } of layers) {
        const relative = directory === '/' ? path : path.slice(directory.length);
        const last = patterns.findLast(
          ({ isForDirectories, matches }) => (kind === 'directory' || !isForDirectories) && matches(relative),
        );
        if (last !== undefined) return !last.isNegated;
      }
      return (kind === 'directory' ? ignoredDirectories : ignoredFiles).has(name);
    },
    within(directory, text) {
      return rulesOf([{ directory, patterns: ignorePatterns(text) }, ...layers]);
    },
  };
}

/** The name of the files that say what is left out. */
export const rulesName = '.gitignore';

/** The rules that hold within a directory: of it and of all above. One that is left out itself was asked for: it has none. */
export async function rulesAt(reader: FileReader, directory: string): Promise<IgnoreRules> {
  let rules = rulesOf([]);
  if (directory === '/') return rules;
  rules = await withRulesOf(reader, '/', rules);
  for (const each of [...ancestorsOf(directory), directory]) {
    if (rules.isIgnored(each, 'directory')) return noRules;
    if (each !== directory) rules = await withRulesOf(reader, each, rules);
  }
  return rules;
}

/** The rules within a directory, with those of a `.gitignore` that is in it. */
export async function withRulesOf(reader: FileReader, directory: string, rules: IgnoreRules): Promise<IgnoreRules> {
  if (rules === noRules) return rules;
  const contents = await readOne(reader, joinPath(directory, rulesName), mostRules);
  return contents instanceof Uint8Array ? rules.within(directory, decoder.decode(contents)) : rules;
}
