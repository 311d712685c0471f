import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { benchmark, type Session } from './benchmark.ts';
import { inWorker } from './worker.ts';

function counting(change: Partial<Session<string, string>> = {}) {
  const done: string[] = [];
  const counted = benchmark<object, string, string>({
    name: 'counted',
    measures: 'nothing',
    subjects: ['us', 'them'],
    options: ['rounds'],
    plan: () => ({ rounds: 2, patienceMs: 0 }),
    open: () => ({
      jobs: (round) => (round === 0 ? ['us', 'them'] : ['us']),
      measure: (job, round) => [`${job} ${round}`],
      tell: (job, samples) => `${job}: ${samples.join()}`,
      close: () => void done.push('closed'),
      ...change,
    }),
    report: (samples) => samples.join(', '),
    failure: (samples) => (samples.length > 3 ? 'too many' : undefined),
  });
  return { counted, done };
}

it('does the jobs of each round in turn, reports each, and closes what it opened', async () => {
  const { counted, done } = counting();
  const outcome = await counted.prepare({})((line) => done.push(line));
  expect(outcome).toEqual({ samples: ['us 0', 'them 0', 'us 1'], report: 'us 0, them 0, us 1', failure: undefined });
  expect(done).toEqual(['round 1, us: us 0', 'round 1, them: them 0', 'round 2, us: us 1', 'closed']);
});

it('fails with the reason if a job fails, and closes what it opened', async () => {
  const { counted, done } = counting({
    measure: () => {
      throw new Error('There is no peer.');
    },
  });
  await expect(counted.prepare({})(() => {})).rejects.toThrow('There is no peer.');
  expect(done).toEqual(['closed']);
});

it('fails with the reason if a peer is missing in a worker', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-worker-'));
  const script = join(folder, 'worker.mjs');
  try {
    writeFileSync(script, "import 'a-peer-that-is-missing';\n");
    await expect(inWorker({}, { script, title: 'a peer' })).rejects.toThrow(
      /^a peer could not be measured:\n[^]*Cannot find package 'a-peer-that-is-missing'/,
    );
    writeFileSync(script, 'console.log(JSON.stringify({ processCpuMs: 1, job: JSON.parse(process.argv[2]) }));\n');
    expect(await inWorker({ a: 1 }, { script, title: 'a peer' })).toMatchObject({ processCpuMs: 1, job: { a: 1 } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
