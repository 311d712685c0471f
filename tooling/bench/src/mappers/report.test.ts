import { expect, it } from 'vitest';
import type { Reader } from './catalog.ts';
import { reportMappers } from './report.ts';
import type { MapperSample } from './job.ts';

const figures = { processCpuMs: 1, foreignCpus: 0 };

function stream(reader: Reader, round: number, cpuUs: number): MapperSample {
  const amounts = { deltas: 1, events: 1, pieceBytes: 0 };
  return { ...figures, round, cpuUs, job: { kind: 'stream', api: 'gemini', work: 'text', reader, ...amounts } };
}

function request(reader: Reader, cpuUs: number, firstCpuUs: number): MapperSample {
  const job = { kind: 'request', api: 'gemini', reader, messages: 200, tools: 512, threads: 1 } as const;
  return { ...figures, round: 0, cpuUs, firstCpuUs, bytes: 90_000, job };
}

it('compares within a round, and says what misses the target', () => {
  const rows = reportMappers([
    stream('sdk', 0, 10),
    stream('utensil', 0, 15),
    stream('sdk', 1, 100),
    stream('utensil', 1, 300),
    stream('sdk', 2, 10),
    stream('utensil', 2, 30),
    request('sdk', 2000, 4000),
    request('utensil', 3000, 10_000),
  ])
    .split('\n')
    .filter((line) => line.startsWith('| gemini'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows[0]?.slice(2, 7)).toEqual(['a long text', '10.0', '30.0', '3.00', 'no']);
  expect(rows[1]?.slice(2, 10)).toEqual(['200', '512', '90.0', '2.00', '10.0', '3.00', '5.00', '1.50']);
});
