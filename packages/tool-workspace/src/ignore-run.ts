import { isUtensilError } from '@utensil/core';
import { anyNames, toIgnorePattern } from './ignore-pattern.ts';
import type { IgnorePattern } from './ignore-pattern.ts';
import { automatonOf } from './pattern/automaton.ts';
import type { FindMatch, WorkBudget } from './pattern/automaton.ts';
import { toProgram } from './pattern/program.ts';
import type { Node } from './pattern/syntax.ts';

/** Consecutive patterns, matched together in time that does not depend on their number. */
export interface IgnoreRun {
  readonly isNegated: boolean;
  /** True if one of them matches a path without a leading slash; a directory has a slash at its end. */
  matches(path: string): boolean;
}

/** Names, each with `true` if it may be a file, and `false` if it must be a directory. */
type Names = Map<string, boolean>;

/** Suffixes of names, by their last character. */
interface Ending {
  readonly before: Map<string, Ending>;
  /** As in {@link Names}, if a suffix ends here. */
  isForFiles?: boolean;
}

/** Steps of one automaton. */
const mostSteps = 18_000;

const encoder = /* @__PURE__ */ new TextEncoder();

/** Budget for the `.gitignore` files of one walk through a project. Anybody may have written them. */
export interface IgnoreAllowance {
  /** Characters in all files. */
  characters: number;
  /** Steps of the automata that match patterns with wildcards. */
  steps: number;
  /** Work for building the states of all automata. */
  readonly work: WorkBudget;
  /** Alternations between ignoring and negated patterns in one file. */
  readonly turns: number;
}

/** Ample for projects: the largest ones need a tenth of it. */
export function ignoreAllowance(): IgnoreAllowance {
  return { characters: 2 * 1024 * 1024, steps: 100_000, work: { left: 3_000_000 }, turns: 64 };
}

/** The patterns of a `.gitignore`; the last run that matches counts. `onCut` is called if some are skipped. */
export function ignoreRuns(text: string, allowance: IgnoreAllowance, onCut: () => void): readonly IgnoreRun[] {
  const heeded = text.slice(0, Math.max(0, allowance.characters));
  allowance.characters -= heeded.length;
  if (heeded.length < text.length) onCut();
  const groups: IgnorePattern[][] = [];
  for (const line of heeded.split('\n')) {
    const pattern = toIgnorePattern(line);
    if (pattern === undefined) continue;
    const last = groups.at(-1);
    if (last?.[0]?.isNegated === pattern.isNegated) last.push(pattern);
    else groups.push([pattern]);
  }
  if (groups.length > allowance.turns) onCut();
  return groups.slice(0, allowance.turns).map((group) => ignoreRun(group, allowance, onCut));
}

function ignoreRun(patterns: readonly IgnorePattern[], allowance: IgnoreAllowance, onCut: () => void): IgnoreRun {
  const names: Names = new Map();
  const paths: Names = new Map();
  const endings: Ending = { before: new Map() };
  const others: IgnorePattern[] = [];
  const most = Math.min(mostSteps, allowance.steps);
  let left = most;
  for (const pattern of patterns) {
    const ending = endingOf(pattern);
    if (pattern.names.every((name) => typeof name === 'string'))
      add(pattern.isName ? names : paths, pattern.names.join('/'), !pattern.isForDirectories);
    else if (ending === undefined) {
      left -= stepsOf(pattern);
      if (left < 0) onCut();
      else others.push(pattern);
    } else addEnding(endings, ending, !pattern.isForDirectories);
  }
  allowance.steps -= most - Math.max(left, 0);
  let find = others.length === 0 ? undefined : finderOf(others, allowance.work);

  function finds(path: string): boolean {
    if (find === undefined) return false;
    try {
      return find(encoder.encode(path.replaceAll(/[\n\r]/g, '\uFFFD')), 0) !== -1;
    } catch (error) {
      if (!isUtensilError(error, 'EINVAL')) throw error;
      find = undefined;
      onCut();
      return false;
    }
  }

  return {
    isNegated: patterns[0]?.isNegated === true,
    matches(path) {
      const isDirectory = path.endsWith('/');
      const whole = isDirectory ? path.slice(0, -1) : path;
      const name = whole.slice(whole.lastIndexOf('/') + 1);
      return (
        holds(names.get(name), isDirectory) ||
        holds(paths.get(whole), isDirectory) ||
        endsLike(endings, name, isDirectory) ||
        finds(path)
      );
    },
  };
}

function holds(isForFiles: boolean | undefined, isDirectory: boolean): boolean {
  return isForFiles === true || (isForFiles === false && isDirectory);
}

function add(names: Names, name: string, isForFiles: boolean): void {
  names.set(name, isForFiles || names.get(name) === true);
}

/** Ending of names that match a pattern such as `*.log`. */
function endingOf({ isName, names: [first] }: IgnorePattern): string | undefined {
  if (!isName || typeof first !== 'object' || first[0]?.type !== 'repeat') return undefined;
  const rest = first.slice(1);
  if (!rest.every((node) => node.type === 'character')) return undefined;
  return rest.map((node) => (node.type === 'character' ? node.text : '')).join('');
}

function addEnding(endings: Ending, text: string, isForFiles: boolean): void {
  let at = endings;
  for (let index = text.length - 1; index >= 0; index--) {
    const character = text.charAt(index);
    const next = at.before.get(character) ?? { before: new Map() };
    at.before.set(character, next);
    at = next;
  }
  at.isForFiles = isForFiles || at.isForFiles === true;
}

function endsLike(endings: Ending, name: string, isDirectory: boolean): boolean {
  let at: Ending | undefined = endings;
  for (let index = name.length - 1; at !== undefined; index--) {
    if (holds(at.isForFiles, isDirectory)) return true;
    if (index < 0) return false;
    at = at.before.get(name.charAt(index));
  }
  return false;
}

const slash: Node = { type: 'character', text: '/' };
const anything: Node = { type: 'set', has: () => true };
const inName: Node = { type: 'set', has: (character) => character !== '/' };
const some = (node: Node): Node => ({ type: 'repeat', node, least: 1, most: Infinity });
const directories: Node = {
  type: 'repeat',
  node: { type: 'sequence', nodes: [some(inName), slash] },
  least: 0,
  most: Infinity,
};

/** One automaton for all patterns. */
function finderOf(patterns: readonly IgnorePattern[], work: WorkBudget): FindMatch {
  const start: Node = { type: 'place', place: '^' };
  const any: Node = { type: 'choice', nodes: patterns.map(nodeOf) };
  const end: Node = { type: 'place', place: '$' };
  return automatonOf(toProgram({ type: 'sequence', nodes: [start, any, end] }), work);
}

/** Upper bound of its steps in the program. */
function stepsOf({ length, names }: IgnorePattern): number {
  return 2 * length + 8 * names.length + 8;
}

function nodeOf({ isName, isForDirectories, names }: IgnorePattern): Node {
  const nodes = names.flatMap((name, index): readonly Node[] => {
    const isLast = index === names.length - 1;
    if (name === anyNames) return isLast ? [some(anything)] : [directories];
    const text =
      typeof name === 'string' ? Array.from(name, (character): Node => ({ type: 'character', text: character })) : name;
    return isLast ? text : [...text, slash];
  });
  const close: Node = { type: 'repeat', node: slash, least: isForDirectories ? 1 : 0, most: 1 };
  return { type: 'sequence', nodes: [...(isName ? [directories] : []), ...nodes, close] };
}
