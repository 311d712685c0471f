import { digits, median } from '../runner/statistics.ts';
import { table } from '../runner/table.ts';
import type { Cost, Sample } from './measure.ts';

/** Target for a hostile text of 100 KB. */
const mostMs = 200;

export function reportDialects(samples: readonly Sample[]): string {
  const speeds = samples.filter((sample) => 'megabytesPerSecond' in sample);
  const costs = samples.filter((sample) => 'costs' in sample);
  return [
    ...(speeds.length === 0 ? [] : [table([speedHead, ...speedRows(speeds)])]),
    ...(costs.length === 0 ? [] : [table([costHead, ...costs.map(costRow)])]),
    ...costs.map(({ chunk, costs: all }) => worst(chunk, all)),
  ].join('\n\n');
}

const speedHead = ['text', 'reader', 'characters a chunk', 'MB/s, median'];

function speedRows(samples: readonly Extract<Sample, { megabytesPerSecond: number }>[]): readonly string[][] {
  const rows = new Map<string, { readonly row: string[]; readonly all: number[] }>();
  for (const { part, reader, chunk, megabytesPerSecond } of samples) {
    const row = [part, reader, String(chunk)];
    const { all } = rows.get(row.join()) ?? { all: [] };
    rows.set(row.join(), { row, all: [...all, megabytesPerSecond] });
  }
  return [...rows.values()].map(({ row, all }) => [...row, digits(median(all))]);
}

const costHead = ['hostile texts', 'characters a chunk', 'CPU ms, median', 'most', `above ${mostMs} ms`];

function costRow({ chunk, costs }: Extract<Sample, { costs: readonly Cost[] }>): string[] {
  const all = costs.map(({ cpuMs }) => cpuMs);
  const above = all.filter((cpuMs) => cpuMs > mostMs).length;
  return [String(all.length), String(chunk), digits(median(all)), digits(Math.max(...all)), String(above)];
}

function worst(chunk: number, costs: readonly Cost[]): string {
  const most = costs.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, 10);
  return table([
    [`most CPU, ${chunk} characters a chunk`, 'ms'],
    ...most.map(({ text, cpuMs }) => [text, digits(cpuMs)]),
  ]);
}
