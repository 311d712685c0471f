import { isUtensilError } from '../base/errors.ts';
import type { Files } from '../files/files.ts';
import { comparePaths, isWithin } from '../files/paths.ts';
import { assertEqual } from './assert.ts';

/** Expected files: contents by path, undefined for directories. */
type Model = Map<string, string | undefined>;

/** Random number generator: returns an integer from 0 and below `count`. */
export type Pick = (count: number) => number;

/** Options of {@link checkFiles}. */
export interface CheckFilesOptions {
  /** Equal seeds produce equal work. */
  readonly seed: number;
  /** Number of calls. Default: 40. */
  readonly steps?: number;
  /** Returns the files to continue with after half of the steps; they must have the same contents. */
  readonly reopen?: () => Files | Promise<Files>;
}

/**
 * Runs the same random calls on empty files and on a plain map, and throws at the first difference: in a result, in a
 * refusal, or in the final contents. Equal seeds produce equal work.
 */
export async function checkFiles(opened: Files, { seed, steps = 40, reopen }: CheckFilesOptions) {
  const model: Model = new Map([['/', undefined]]);
  const pick = randomPick(seed);
  const history: string[] = [];
  let files = opened;
  for (let step = 0; step < steps; step++) {
    if (step === Math.floor(steps / 2)) files = (await reopen?.()) ?? files;
    const [path, other] = [randomPath(pick), randomPath(pick)];
    const { name, expected, call } = randomCall(files, { model, pick, path, other });
    history.push(name);
    const actual = await call().then(
      () => true,
      (error: unknown) => (isUtensilError(error) ? false : String(error)),
    );
    assertEqual(actual, expected, `whether the last call goes through, with seed ${seed}: ${history.join('; ')}`);
    assertEqual(
      await contentOf(files),
      expectedContent(model),
      `what is there, with seed ${seed}: ${history.join('; ')}`,
    );
  }
}

/** A small random number generator of our own, so that third parties need no library. */
export function randomPick(seed: number): Pick {
  let state = seed >>> 0;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

const names = ['a', 'b', 'c.txt', 'é'];

function randomPath(pick: Pick): string {
  return Array.from({ length: 1 + pick(3) }, () => `/${names[pick(names.length)]}`).join('');
}

interface RandomCall {
  readonly name: string;
  /** True if the call must succeed; the model has then changed already. */
  readonly expected: boolean;
  call(): Promise<unknown>;
}

interface Situation {
  readonly model: Model;
  readonly pick: Pick;
  readonly path: string;
  readonly other: string;
}

function randomCall(files: Files, situation: Situation): RandomCall {
  const { model, pick, path, other } = situation;
  const text = `${pick(1000)}\n`;
  const flag = pick(2) === 0;
  const calls: readonly (() => RandomCall)[] = [
    () => ({ name: `write ${path}`, expected: writeTo(model, path, text), call: () => files.write(path, text) }),
    () => ({
      name: `append ${path}`,
      expected: writeTo(model, path, (model.get(path) ?? '') + text),
      call: () => files.append(path, text),
    }),
    () => ({ name: `make ${path}`, expected: makeAt(model, path), call: () => files.makeDirectory(path) }),
    () => ({
      name: `remove ${path}${flag ? ' and all in it' : ''}`,
      expected: removeFrom(model, path, flag),
      call: () => files.remove(path, { recursive: flag }),
    }),
    () => ({
      name: `move ${path} to ${other}${flag ? ' over it' : ''}`,
      expected: moveTo(model, { from: path, to: other, overwrite: flag }),
      call: () => files.move(path, other, { overwrite: flag }),
    }),
    () => ({
      name: `copy ${path} to ${other}${flag ? ' over it' : ''}`,
      expected: copyTo(model, { from: path, to: other, overwrite: flag }),
      call: () => files.copy(path, other, { overwrite: flag }),
    }),
  ];
  return (calls[pick(calls.length)] ?? calls[0])?.() as RandomCall;
}

const isFile = (model: Model, path: string): boolean => model.get(path) !== undefined;
const isDirectory = (model: Model, path: string): boolean => model.has(path) && !isFile(model, path);

/** Parent directories of a path, unless one of them is a file. */
function parentsOf(model: Model, path: string): readonly string[] | undefined {
  const parents = path
    .split('/')
    .slice(1, -1)
    .map((_, index, all) => `/${all.slice(0, index + 1).join('/')}`);
  return parents.some((parent) => isFile(model, parent)) ? undefined : parents;
}

function put(model: Model, path: string, value: string | undefined): boolean {
  const parents = parentsOf(model, path);
  for (const parent of parents ?? []) model.set(parent, undefined);
  if (parents !== undefined) model.set(path, value);
  return parents !== undefined;
}

function writeTo(model: Model, path: string, text: string): boolean {
  return !isDirectory(model, path) && put(model, path, text);
}

function makeAt(model: Model, path: string): boolean {
  return !model.has(path) && put(model, path, undefined);
}

function removeFrom(model: Model, path: string, recursive: boolean): boolean {
  const below = [...model.keys()].filter((each) => isWithin(path, each));
  if (below.length === 0 || (below.length > 1 && !recursive)) return false;
  for (const each of below) model.delete(each);
  return true;
}

interface Way {
  readonly from: string;
  readonly to: string;
  readonly overwrite: boolean;
}

function isFree(model: Model, { from, to, overwrite }: Way): boolean {
  return !model.has(to) || (overwrite && isFile(model, to) && isFile(model, from));
}

function copyTo(model: Model, way: Way): boolean {
  const text = model.get(way.from);
  return text !== undefined && isFree(model, way) && put(model, way.to, text);
}

function moveTo(model: Model, way: Way): boolean {
  const { from, to } = way;
  const isIntoItself = from !== to && isWithin(from, to);
  if (!model.has(from) || isIntoItself || !isFree(model, way) || parentsOf(model, to) === undefined) return false;
  const moved = [...model].filter(([path]) => isWithin(from, path));
  for (const [path] of moved) model.delete(path);
  for (const [path, value] of moved) put(model, to + path.slice(from.length), value);
  return true;
}

async function contentOf(files: Files): Promise<readonly (readonly [string, string | null])[]> {
  const { entries } = await files.list('/', { depth: 9 });
  const texts = entries.map(
    async ({ path, kind }) => [path, kind === 'file' ? (await files.readText(path)).text : null] as const,
  );
  return Promise.all(texts);
}

function expectedContent(model: Model): readonly (readonly [string, string | null])[] {
  return [...model]
    .filter(([path]) => path !== '/')
    .sort(([left], [right]) => comparePaths(left, right))
    .map(([path, text]) => [path, text ?? null] as const);
}
