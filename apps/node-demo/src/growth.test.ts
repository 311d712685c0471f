// A process holds no more memory after many threads than after a few.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import { bundleProgram } from './test-kit/bundle-program.ts';
import type * as Alone from './test-kit/soak/alone.ts';
import type { AloneJob, Held } from './test-kit/soak/alone.ts';

/** More than caches and compiled code add to a process that has just begun, and less than threads whose runs are kept. */
const bytesPerThread = 45_000;

it('a process that runs many threads one after the other holds neither their memory nor their timers and files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'utensil-growth-'));
  try {
    const program = join(folder, 'alone.mjs');
    const entry: keyof typeof Alone = 'workAlone';
    await bundleProgram({
      folder: join(import.meta.dirname, 'test-kit/soak'),
      module: './alone.ts',
      entry,
      outfile: program,
    });
    const job: AloneJob = { root: join(folder, 'project'), after: inject('isLong') ? [50, 200] : [30, 80] };
    await mkdir(job.root);
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, JSON.stringify(job)]);
    const [early, late] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Held);
    if (early === undefined || late === undefined) throw new Error(`It said ${stdout}`);
    console.log(
      `${(late.heapBytes - early.heapBytes) / (late.threads - early.threads)} bytes a thread, ${late.resources.join()}`,
    );
    expect(late.statuses).toEqual(['complete']);
    expect(late.resources).toEqual(early.resources);
    expect(late.heapBytes - early.heapBytes).toBeLessThan((late.threads - early.threads) * bytesPerThread);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
