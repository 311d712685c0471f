import { digits, median } from '../runner/statistics.ts';
import { table } from '../runner/table.ts';
import { type Mode, variants } from './variants/index.ts';
import type { Sample } from './job.ts';

const titles: Readonly<Record<Mode, string>> = {
  scripted: 'A scripted model in the process: what the loop itself takes',
  http: 'A server on 127.0.0.1 in a second process: with provider, SDK, JSON and HTTP',
};

/** One table per mode. */
export function report(samples: readonly Sample[]): string {
  const modes = [...new Set(samples.map(({ mode }) => mode))];
  return modes
    .map((mode) => `${titles[mode]}\n\n${tableOf(samples.filter((each) => each.mode === mode))}\n`)
    .join('\n');
}

const head = [
  'tools',
  'loop',
  'wall ms',
  'CPU ms',
  'step ms, best run',
  'step 5–25 ms',
  'last 20 ms',
  'KB allocated',
  'wall × hand',
  'CPU × hand',
  'CPU × ours',
  'foreign CPUs',
];

function tableOf(samples: readonly Sample[]): string {
  const counts = [...new Set(samples.map(({ work }) => work.tools))];
  const rows = counts.flatMap((tools) => rowsOf(samples.filter(({ work }) => work.tools === tools)));
  return table([head, ...rows]);
}

function rowsOf(samples: readonly Sample[]): readonly (readonly string[])[] {
  const timed = samples.filter(({ allocatedKb }) => allocatedKb === undefined);
  return [...new Set(samples.map(({ variant }) => variant))].map((variant) => {
    const own = timed.filter((each) => each.variant === variant);
    const middle = (key: 'wallMs' | 'cpuMs' | 'stepMs' | 'earlyMs' | 'lateMs' | 'foreignCpus') =>
      digits(median(own.map((each) => each[key])));
    const against = (key: 'wallMs' | 'cpuMs', other: string) =>
      digits(
        ratio(
          own,
          timed.filter((each) => each.variant === other),
          key,
        ),
      );
    return [
      `${samples[0]?.work.tools}`,
      variants[samples[0]?.mode ?? 'http'][variant]?.title ?? variant,
      middle('wallMs'),
      middle('cpuMs'),
      middle('stepMs'),
      middle('earlyMs'),
      middle('lateMs'),
      digits(median(samples.filter((each) => each.variant === variant).flatMap(({ allocatedKb = [] }) => allocatedKb))),
      against('wallMs', 'hand'),
      against('cpuMs', 'hand'),
      against('cpuMs', 'utensil'),
      middle('foreignCpus'),
    ];
  });
}

/** Median of each round's ratio: a disturbance of a round affects both. */
function ratio(own: readonly Sample[], others: readonly Sample[], key: 'wallMs' | 'cpuMs'): number {
  return median(own.map((each) => each[key] / (others.find(({ round }) => round === each.round)?.[key] ?? NaN)));
}
