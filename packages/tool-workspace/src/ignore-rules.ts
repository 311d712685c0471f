import { ancestorsOf, joinPath, nameOf } from '@utensil/core/files';
import { ignoreAllowance, ignoreRuns } from './ignore-run.ts';
import type { IgnoreRun } from './ignore-run.ts';
import { shownPath } from './path.ts';
import { readOne } from './reader.ts';
import type { FileReader } from './reader.ts';
import { say } from './texts.ts';

/** Directories without content written by people, excluded whatever a `.gitignore` says. */
const neverShown: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj']);

/** Directories excluded unless a `.gitignore` includes them. */
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

/** Files excluded unless a `.gitignore` includes them. */
const ignoredFiles: ReadonlySet<string> = new Set(['.DS_Store', 'Thumbs.db']);

const mostRules = 256 * 1024;

const decoder = /* @__PURE__ */ new TextDecoder();

/** Rules that exclude files from listings and searches, for a directory and everything below it. */
export interface IgnoreRules {
  isIgnored(path: string, kind: 'file' | 'directory'): boolean;
  /** Rules for a subdirectory, whose own `.gitignore` takes precedence. */
  within(directory: string, text: string): IgnoreRules;
}

/** Excludes only directories that are never shown. */
export const noRules: IgnoreRules = {
  isIgnored: (path) => neverShown.has(nameOf(path)),
  within: () => noRules,
};

interface Layer {
  readonly directory: string;
  /** The last matching run decides. */
  readonly runs: readonly IgnoreRun[];
}

/** State that all rules of one walk share. */
interface Shared {
  readonly allowance: ReturnType<typeof ignoreAllowance>;
  /** Called with the path of a `.gitignore` of which some patterns are skipped. */
  readonly onCut: (path: string) => void;
}

function rulesOf(layers: readonly Layer[], shared: Shared): IgnoreRules {
  return {
    isIgnored(path, kind) {
      const name = nameOf(path);
      if (neverShown.has(name)) return true;
      for (const { directory, runs } of layers) {
        const relative = path.slice(directory === '/' ? 1 : directory.length + 1);
        const last = runs.findLast(({ matches }) => matches(kind === 'directory' ? `${relative}/` : relative));
        if (last !== undefined) return !last.isNegated;
      }
      return (kind === 'directory' ? ignoredDirectories : ignoredFiles).has(name);
    },
    within(directory, text) {
      const onCut = (): void => shared.onCut(joinPath(directory, rulesName));
      return rulesOf([{ directory, runs: ignoreRuns(text, shared.allowance, onCut) }, ...layers], shared);
    },
  };
}

/** Name of the files with ignore rules. */
export const rulesName = '.gitignore';

/**
 * Rules for a directory: its own and those of all parents. An excluded directory was requested explicitly, so its rules
 * are ignored. `onCut` is called with the path of each `.gitignore` of which some patterns are skipped, here and below.
 */
export async function rulesAt(
  reader: FileReader,
  directory: string,
  onCut: (path: string) => void = () => undefined,
): Promise<IgnoreRules> {
  let rules = rulesOf([], { allowance: ignoreAllowance(), onCut });
  if (directory === '/') return rules;
  rules = await withRulesOf(reader, '/', rules);
  for (const each of [...ancestorsOf(directory), directory]) {
    if (rules.isIgnored(each, 'directory')) return noRules;
    if (each !== directory) rules = await withRulesOf(reader, each, rules);
  }
  return rules;
}

/** Rules for a directory including its own `.gitignore`. */
export async function withRulesOf(reader: FileReader, directory: string, rules: IgnoreRules): Promise<IgnoreRules> {
  if (rules === noRules) return rules;
  const contents = await readOne(reader, joinPath(directory, rulesName), mostRules);
  return contents instanceof Uint8Array ? rules.within(directory, decoder.decode(contents)) : rules;
}

/** Note about `.gitignore` files of which some patterns were skipped. */
export function cutRulesNote(paths: ReadonlySet<string>): readonly string[] {
  if (paths.size === 0) return [];
  const shown = [...paths].slice(0, 3).map(shownPath).join(', ');
  return [say('rulesCut', { paths: paths.size > 3 ? `${shown}, …` : shown })];
}
