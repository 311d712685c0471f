// Threads of one directory, worked on by processes that are killed at random. `pnpm test:long` has 500 threads and 4
// processes; the tests have a sample. SEED=… kills as in a run that failed, as far as the machine is as fast.
import process from 'node:process';
import { beforeAll, expect, inject, it } from 'vitest';
import { type Complaints, judgeSoak, sentIn, stuckIn, takeoversIn } from './test-kit/soak/judge.ts';
import { playSoak, type Soaked, type SoakPlan } from './test-kit/soak/supervisor.ts';

const seed = Number(process.env['SEED'] ?? (inject('isLong') ? Date.now() % 1_000_000 : 1));

const plan: SoakPlan = inject('isLong')
  ? {
      ...{ threads: 500, processes: 4, lanes: 6, seed },
      leaseMs: 2_000,
      pauseMs: 100,
      killEveryMs: 1_800,
      maxKills: Infinity,
      withinMs: 1_200_000,
    }
  : {
      ...{ threads: 12, processes: 3, lanes: 4, seed },
      leaseMs: 1_000,
      pauseMs: 60,
      killEveryMs: 300,
      maxKills: 5,
      withinMs: 100_000,
    };

let soaked: Soaked;
let complaints: Complaints;

beforeAll(async () => {
  complaints = await playSoak(plan, async (played) => {
    soaked = played;
    return judgeSoak(played);
  });
  console.log(figures());
});

function figures(): string {
  const { deaths, answers, said, sent, tookMs } = soaked;
  const takeovers = takeoversIn(soaked);
  const slowest = Math.max(0, ...takeovers.map(({ afterMs }) => afterMs));
  const runs = said.filter(({ type }) => type === 'claimed').length;
  const asked = [...answers].map(([kind, count]) => `${count} × ${kind}`).join(', ');
  return [
    `Seed ${seed}: ${plan.threads} threads, ${plan.processes} processes, ${deaths.length} killed, ${Math.round(tookMs / 1000)} s.`,
    `${runs} claims, ${takeovers.length} takeovers, the slowest within ${slowest} ms with a lease of ${plan.leaseMs} ms.`,
    `${sent.size} messages stored by others, ${sentIn(said).length} sent; answers: ${asked}.`,
    Object.entries(complaints)
      .map(([kind, found]) => `${kind}: ${found.length}`)
      .join(', '),
  ].join('\n');
}

it('processes that are killed at random do nothing twice', () => {
  expect(soaked.deaths.length).toBeGreaterThan(0);
  expect(complaints.double).toEqual([]);
});

it('processes that are killed at random lose no message, no result and no effect', () => {
  expect(complaints.lost).toEqual([]);
});

it('no thread waits for a dead process longer than its lease', () => {
  expect(complaints.stuck).toEqual([]);
});

it('processes that are killed at random leave no owner, no draft and no temporary file', () => {
  expect(complaints.left).toEqual([]);
});

it('notices a thread that is busy though its owner is dead, and not one whose lease is not over', () => {
  const owner = { type: 'claiming', thread: 't4', pid: 1, attempt: 'a', time: 0 } as const;
  const busyAt = (time: number) =>
    stuckIn(
      [
        owner,
        { ...owner, pid: 2, attempt: 'b', time },
        { ...owner, type: 'busy', pid: 2, attempt: 'b', time: time + 1 },
      ],
      [{ pid: 1, time: 100 }],
      1_000,
    );
  expect([50, 1_050, 1_200].map((time) => busyAt(time).length)).toEqual([0, 0, 1]);
});
