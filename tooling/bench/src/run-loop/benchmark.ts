import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { benchmark, type Session } from '../runner/benchmark.ts';
import { inWorker } from '../runner/worker.ts';
import { assertEqualBodies } from './bodies.ts';
import { compare, gateFailure, gateTable } from './gate.ts';
import type { Job, Measurement, Sample } from './job.ts';
import { type RunLoopPlan, runLoopPlan } from './plan.ts';
import { ratios } from './ratios.ts';
import { report } from './report.ts';
import type { Session as Requests } from './server.ts';
import { variants } from './variants/index.ts';

export const runLoopBenchmark = benchmark({
  name: 'run-loop',
  measures: 'a step of the loop, with a scripted model and over HTTP',
  subjects: [...new Set(Object.values(variants).flatMap((of) => Object.values(of).map(({ title }) => title)))],
  options: ['quick', 'rounds', 'mode', 'tools', 'only', 'warm-up', 'wait', 'gate'],
  plan: runLoopPlan,
  open: openRunLoop,
  report: (samples, { gate }) =>
    gate === undefined ? report(samples) : `${report(samples)}\n${gateTable(compare(samples, ratios))}`,
  failure: (samples, { gate }) => (gate === 'fail' ? gateFailure(compare(samples, ratios), samples) : undefined),
});

async function openRunLoop(plan: RunLoopPlan): Promise<Session<Job, Sample>> {
  const server = await startServer();
  if (plan.modes.includes('http'))
    for (const { tools } of plan.works) await assertEqualBodies({ calls: 3, tools }, server);
  return {
    jobs: (round) => jobsOf(plan, { counts: round >= plan.timedRounds, url: server.url }),
    async measure(job, round) {
      const { mode, variant, work } = job;
      const measured = await inWorker<Measurement>(job, {
        script: join(import.meta.dirname, 'worker.ts'),
        title: `${mode} ${variant}`,
        server: server.pid,
      });
      return [{ ...measured, mode, variant, work, round }];
    },
    tell: ({ mode, variant, work }, [sample]) =>
      `${mode}, ${work.tools} tools: ${variant}, ${sample?.cpuMs.toFixed(3)} ms of CPU a step`,
    close: server.close,
  };
}

function jobsOf(
  { modes, works, only, warmUp }: RunLoopPlan,
  { counts, url }: { readonly counts: boolean; readonly url: string },
): readonly Job[] {
  return modes.flatMap((mode) =>
    works.flatMap((work) =>
      Object.keys(variants[mode])
        .filter((variant) => only.includes(variant))
        .map((variant) => {
          const samplingInterval = counts ? intervalOf(variant) : 0;
          return { url, samplingInterval, mode, variant, work, warmUp: warmUp ?? work.calls };
        }),
    ),
  );
}

/** Other libraries allocate gigabytes. */
function intervalOf(variant: string): number {
  return ['utensil', 'utensil-read', 'hand'].includes(variant) ? 512 : 65_536;
}

async function startServer() {
  const script = join(import.meta.dirname, 'serve.ts');
  const child = spawn(process.execPath, ['--conditions=@utensil/source', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    url,
    pid: child.pid,
    bodiesOf: async (session: string) => ((await (await fetch(`${url}/${session}`)).json()) as Requests).bodies,
    close: async () => {
      child.stdin.end();
      await once(child, 'close');
    },
  };
}
