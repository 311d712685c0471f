import { digits, median } from '../runner/statistics.ts';
import { table } from '../runner/table.ts';
import { contenders } from './catalog.ts';
import type { Blocking } from './blocking.ts';
import type { SandboxResults, SandboxSample } from './job.ts';
import { type Amounts, works } from './works.ts';

const ours = 'utensil';

/** Results, compared with our sandbox, and the state of our targets. */
export function reportSandbox(results: SandboxResults): string {
  const { samples, amounts, pages } = results;
  return [
    'What it takes (ms, medians of the rounds; RSS is the most of the process, in MB)',
    timesOf(samples, amounts),
    'How many times as long as ours takes',
    ratiosOf(samples, amounts),
    'Targets',
    targetsOf(results),
    'Code mode: tokens of four characters, over all requests of a task',
    tokensOf(results),
    'The longest task of a page’s main thread while a script runs in its sandbox (ms)',
    blockingOf(pages),
    '',
  ].join('\n\n');
}

const others: Readonly<Record<string, string>> = { cold: 'the first script, once imported', import: 'its import' };

function columnsOf(amounts: Amounts): readonly (readonly [name: string, title: string])[] {
  return [
    ...Object.entries(others),
    ...Object.entries(works).map(([name, { title }]): [string, string] => [name, title(amounts)]),
  ];
}

function contendersIn(samples: readonly SandboxSample[]): readonly string[] {
  return [...new Set(samples.map(({ contender }) => contender))];
}

function titleOf(contender: string): string {
  return contenders[contender]?.title ?? contender;
}

function timesOf(samples: readonly SandboxSample[], amounts: Amounts): string {
  const columns = [...columnsOf(amounts), ['rss', 'RSS'] as const];
  const rows = contendersIn(samples).map((contender) => {
    const own = samples.filter((each) => each.contender === contender);
    const foreign = digits(median(own.map(({ foreignCpus }) => foreignCpus)));
    return [titleOf(contender), ...columns.map(([name]) => digits(figureOf(own, name))), foreign];
  });
  return table([['by', ...columns.map(([, title]) => title), 'foreign CPUs'], ...rows]);
}

function ratiosOf(samples: readonly SandboxSample[], amounts: Amounts): string {
  const columns = columnsOf(amounts);
  const rows = contendersIn(samples).map((contender) => [
    titleOf(contender),
    ...columns.map(([name]) => digits(ratio(samples, contender, name))),
  ]);
  return table([['by', ...columns.map(([, title]) => title)], ...rows]);
}

/** Median of each round's ratio: a disturbance of a round affects both. */
function ratio(samples: readonly SandboxSample[], contender: string, name: string): number {
  const own = samples.filter((each) => each.contender === contender);
  return median(
    own.map(({ round, figures }) => {
      const base = samples.find((each) => each.contender === ours && each.round === round);
      return (figures[name] ?? NaN) / (base?.figures[name] ?? NaN);
    }),
  );
}

function figureOf(samples: readonly SandboxSample[], name: string): number {
  return median(samples.map(({ figures }) => figures[name] ?? NaN));
}

interface Target {
  readonly title: string;
  readonly most: number;
  readonly unit: string;
  readonly value: number;
}

function targetsOf({ samples, targets, pages, javascriptBytes }: SandboxResults): string {
  const engines = ['quickjs-wasi', 'quickjs-emscripten'];
  const all: readonly Target[] = [
    ...[ours, 'utensil-emscripten'].flatMap((contender, index): readonly Target[] => {
      const own = samples.filter((each) => each.contender === contender);
      const title = (what: string): string => `${what}, ${engines[index]}`;
      return [
        { title: title('a warm call with three libraries'), most: 5, unit: 'ms', value: figureOf(own, 'libraries') },
        { title: title('a cold call'), most: 150, unit: 'ms', value: figureOf(own, 'cold') },
      ];
    }),
    ...engines.flatMap((engine): readonly Target[] => {
      const { MB = NaN, calls = NaN } = targets[`growth, ${engine}`] ?? {};
      const { ms = NaN } = targets[`after a kill, ${engine}`] ?? {};
      return [
        { title: `the call after a killed script, ${engine}`, most: 100, unit: 'ms', value: ms },
        { title: `growth of RSS over ${calls} calls, ${engine}`, most: 20, unit: 'MB', value: MB },
      ];
    }),
    { title: 'JavaScript before the WebAssembly, compressed', most: 20, unit: 'kB', value: javascriptBytes / 1000 },
    { title: 'a program of 20 calls beside 20 turns', most: 10, unit: '% of the tokens', value: shareOf(targets, 20) },
    {
      title: 'a program of 20 calls',
      most: 1,
      unit: 'turn',
      value: targets['code mode']?.['20, turns of the model'] ?? NaN,
    },
    {
      title: 'a page’s main thread blocked by a script',
      most: 16,
      unit: 'ms',
      value: Math.max(...pages.map(({ cpuMs }) => cpuMs)),
    },
  ];
  const rows = all.map(({ title, most, unit, value }) => [
    title,
    `≤ ${most} ${unit}`,
    digits(value),
    Number.isFinite(value) ? (value <= most ? 'met' : 'missed') : 'not measured',
  ]);
  return table([['target', 'at most', 'measured', ''], ...rows]);
}

/** In percent. */
function shareOf(targets: SandboxResults['targets'], count: number): number {
  const figures = targets['code mode'] ?? {};
  return ((figures[`${count} in a program`] ?? NaN) / (figures[`${count} in turns`] ?? NaN)) * 100;
}

function tokensOf({ targets }: SandboxResults): string {
  const figures = targets['code mode'] ?? {};
  const rows = [1, 3, 5, 20].map((count) => [
    `${count}`,
    `${figures[`${count} in turns`]}`,
    `${figures[`${count} in a program`]}`,
    digits(shareOf(targets, count)),
    `${figures[`${count}, turns of the model`]}`,
  ]);
  return table([['calls', 'in turns of their own', 'in one program', '%', 'turns of the program'], ...rows]);
}

function blockingOf(pages: readonly Blocking[]): string {
  const rows = pages.map(({ script, status, cpuMs, wallMs }) => [script, status, digits(cpuMs), digits(wallMs)]);
  return table([['script', 'ended', 'at work', 'by the clock'], ...rows]);
}
