// pnpm bench run-loop   what a step of the loop takes, for us, for loops written by hand, and for our peers
// pnpm bench size       what they weigh: minified and compressed, at import, and installed

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { environmentLine } from './load.ts';
import { report } from './loop/report.ts';
import { runLoop } from './loop/run-loop.ts';
import type { Work } from './loop/work.ts';
import { measureSizes, reportSizes } from './size/size.ts';
import type { Mode } from './variants/index.ts';

const usage = `pnpm bench run-loop [--quick] [--rounds 5] [--mode scripted|http] [--tools 1,100,1000] [--only utensil,hand] [--warm-up 200] [--wait 10] [--json file]
pnpm bench size [--quick] [--json file]`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    mode: { type: 'string' },
    tools: { type: 'string', default: '1,100,1000' },
    only: { type: 'string', default: '' },
    wait: { type: 'string' },
    'warm-up': { type: 'string' },
    json: { type: 'string' },
  },
});

console.log(`${environmentLine()}\n`);
if (positionals[0] === 'run-loop') await benchRunLoop();
else if (positionals[0] === 'size') await benchSize();
else {
  console.error(usage);
  process.exitCode = 2;
}

async function benchRunLoop(): Promise<void> {
  const { quick, rounds, wait, tools, only } = values;
  const samples = await runLoop({
    rounds: Number(rounds ?? (quick ? 1 : 5)),
    heapRounds: 1,
    warmUp: values['warm-up'] === undefined ? undefined : Number(values['warm-up']),
    works: tools.split(',').map((count) => workOf(Number(count), quick)),
    modes: values.mode === undefined ? ['scripted', 'http'] : [values.mode as Mode],
    only: only.split(',').filter(Boolean),
    patienceMs: Number(wait ?? (quick ? 0 : 10)) * 1000,
    progress: (line) => console.error(line),
  });
  write(samples);
  console.log(`\n${report(samples)}`);
}

async function benchSize(): Promise<void> {
  const sizes = await measureSizes(values.quick ? 1 : 9);
  write(sizes);
  console.log(reportSizes(sizes));
}

/** Peers take so long with many tools that fewer calls must do. */
function workOf(tools: number, quick: boolean): Work {
  return { tools, calls: quick ? 30 : tools >= 1000 ? 50 : 200 };
}

function write(result: unknown): void {
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
}
