import { isDeepStrictEqual } from 'node:util';
import { median } from '../runner/statistics.ts';
import type { HostFunctions, Subject, Task } from './subject.ts';

/** Amount of work. */
export interface Amounts {
  /** Number of runs to take the median of. */
  readonly runs: number;
  readonly hostCalls: number;
  readonly parallel: number;
}

/** A work; returns milliseconds. Throws if an answer is wrong. */
export interface Work {
  title(amounts: Amounts): string;
  measure(subject: Subject, amounts: Amounts): Promise<number>;
}

/** A value of about a megabyte. */
const large: unknown = Array.from({ length: 10_000 }, (_, index) => ({
  id: index,
  name: `Record ${index}`,
  text: 'It was neither the best of times nor the worst.',
  tags: ['a', 'b'],
}));

export const host: HostFunctions = { add: (n) => n + 1, give: () => large };

/** Three libraries of twenty functions and 2 kB each. */
const libraries: readonly string[] = ['text', 'tables', 'dates'].map((name) => {
  const functions = Array.from(
    { length: 20 },
    (_, index) =>
      `  f${index}(value, more = []) { return [...more, value].map((each) => Number(each) + ${index}).join('-'); },`,
  );
  return `globalThis.${name} = {\n${functions.join('\n')}\n};`;
});

const seconds = (index: number): Task => ({ code: `return ${index} * 2` });

/** By name. */
export const works: Readonly<Record<string, Work>> = {
  tiny: {
    title: () => 'a tiny script, warm',
    measure: (subject, { runs }) => medianOf(runs, () => expectValue(subject, seconds(21), 42)),
  },
  libraries: {
    title: () => 'the same with three libraries of 2 kB',
    measure: (subject, { runs }) =>
      medianOf(runs, () => {
        const code = `return [text.f1(1), tables.f2(1), dates.f19(1)].join(' ')`;
        return expectValue(subject, { code, libraries }, '2 3 20');
      }),
  },
  fib: {
    title: () => 'fib(25)',
    measure: (subject, { runs }) =>
      medianOf(Math.ceil(runs / 5), () => {
        const code = 'const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); return fib(25)';
        return expectValue(subject, { code }, 75_025);
      }),
  },
  json: {
    title: () => `${(JSON.stringify(large).length / 1e6).toFixed(1)} MB of JSON in and out`,
    measure: (subject, { runs }) =>
      medianOf(Math.ceil(runs / 5), () => expectValue(subject, { code: 'return await host.give()' }, large)),
  },
  'host-calls': {
    title: ({ hostCalls }) => `${hostCalls.toLocaleString('en')} host calls, one after another`,
    measure: (subject, { hostCalls }) => {
      const code = `let n = 0; for (let i = 0; i < ${hostCalls}; i++) n = await host.add(n); return n`;
      return time(() => expectValue(subject, { code }, hostCalls));
    },
  },
  parallel: {
    title: ({ parallel }) => `${parallel} scripts begun at once`,
    measure: (subject, { parallel }) =>
      time(() =>
        Promise.all(Array.from({ length: parallel }, (_, index) => expectValue(subject, seconds(index), index * 2))),
      ),
  },
};

/** Throws unless a script returns this value. */
export async function expectValue(subject: Subject, task: Task, expected: unknown): Promise<void> {
  const value = await subject.run(task);
  if (!isDeepStrictEqual(value, expected))
    throw new Error(
      `The script gave ${JSON.stringify(value)?.slice(0, 100)} instead of ${JSON.stringify(expected).slice(0, 100)}.`,
    );
}

export async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function medianOf(runs: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await time(work));
  return median(times);
}
