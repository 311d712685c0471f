import { expect, it } from 'vitest';
import { longestTask } from './blocking.ts';
import { contenders } from './catalog.ts';
import { measureWorks } from './measure-works.ts';
import { reportSandbox } from './report.ts';
import type { SandboxResults } from './job.ts';
import { joined } from './subject.ts';
import { targets } from './targets.ts';
import { works } from './works.ts';

const amounts = { runs: 1, hostCalls: 10, parallel: 3 };

it.each(Object.entries(contenders))('%s does all of the work, and gives figures', async (_, contender) => {
  const figures = await measureWorks(contender, amounts);
  expect(Object.keys(figures)).toEqual(['import', 'cold', ...Object.keys(works), 'close', 'rss']);
  expect(Object.values(figures).every(Number.isFinite)).toBe(true);
});

it('fails what gives a wrong answer', async () => {
  const liar = { title: 'Liar', load: async () => () => ({ run: async () => 1, close: () => undefined }) };
  await expect(measureWorks(liar, amounts)).rejects.toThrow('The script gave 1 instead of 42.');
});

it('puts libraries before a script', () => {
  expect(joined({ code: 'return a', libraries: ['var a', 'var b'] })).toBe('var a\nvar b\nreturn a');
});

it('counts the tokens of tasks', async () => {
  const figures = (await targets['code mode']?.(1)) ?? {};
  expect(figures['20, turns of the model']).toBe(1);
  expect(figures['20 in turns']).toBeGreaterThan(10 * (figures['20 in a program'] ?? Infinity));
});

it('finds the longest task of the main thread in a trace', () => {
  const main = { pid: 1, tid: 2 };
  const traceEvents = [
    { name: 'thread_name', ...main, args: { name: 'CrRendererMain' } },
    { name: 'ThreadControllerImpl::RunTask', ...main, dur: 9_000, tdur: 4_000 },
    { name: 'ThreadControllerImpl::RunTask', ...main, dur: 8_000, tdur: 5_000 },
    { name: 'ThreadControllerImpl::RunTask', pid: 1, tid: 3, dur: 99_000, tdur: 99_000 },
    { name: 'other', ...main, dur: 99_000 },
  ];
  expect(longestTask({ traceEvents })).toEqual({ cpuMs: 5, wallMs: 9 });
  expect(() => longestTask({ traceEvents: traceEvents.slice(1) })).toThrow('no task of the main thread');
});

it('prints medians, ratios to ours, and whether targets are met', () => {
  const figures = {
    import: 1,
    cold: 200,
    tiny: 2,
    libraries: 4,
    fib: 1,
    json: 1,
    'host-calls': 1,
    parallel: 1,
    rss: 50,
  };
  const results: SandboxResults = {
    amounts,
    samples: [
      { contender: 'utensil', round: 0, figures, foreignCpus: 0 },
      { contender: 'hand', round: 0, figures: { ...figures, tiny: 1 }, foreignCpus: 0 },
    ],
    targets: { 'code mode': { '20 in turns': 1000, '20 in a program': 50, '20, turns of the model': 1 } },
    pages: [{ script: 'nothing', status: 'done', cpuMs: 17, wallMs: 20 }],
    javascriptBytes: 19_000,
  };
  const lines = reportSandbox(results)
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' '));
  expect(lines).toEqual(
    expect.arrayContaining([
      '| quickjs-emscripten by hand, no worker | 1.00 | 1.00 | 0.500 | 1.00 | 1.00 | 1.00 | 1.00 | 1.00 |',
      '| a warm call with three libraries, quickjs-wasi | ≤ 5 ms | 4.00 | met |',
      '| a cold call, quickjs-wasi | ≤ 150 ms | 200 | missed |',
      '| a cold call, quickjs-emscripten | ≤ 150 ms | – | not measured |',
      '| a program of 20 calls beside 20 turns | ≤ 10 % of the tokens | 5.00 | met |',
      '| a page’s main thread blocked by a script | ≤ 16 ms | 17.0 | missed |',
    ]),
  );
});
