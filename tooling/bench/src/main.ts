// pnpm bench run-loop   what a step of the loop takes, for us, for loops written by hand, and for our peers
// pnpm bench size       what they weigh: minified and compressed, at import, and installed

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { messageOf } from '@utensil/core';
import { environmentLine } from './load.ts';
import { report } from './loop/report.ts';
import { runLoop } from './loop/run-loop.ts';
import { runLoopOptions } from './run-loop-options.ts';
import { measureSizes, reportSizes } from './size/size.ts';

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
  const options = readOptions();
  if (options === undefined) return;
  const samples = await runLoop({ ...options, progress: (line) => console.error(line) });
  write(samples);
  console.log(`\n${report(samples)}`);
}

function readOptions() {
  try {
    return runLoopOptions(values);
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${usage}`);
    process.exitCode = 2;
    return undefined;
  }
}

async function benchSize(): Promise<void> {
  const sizes = await measureSizes(values.quick ? 1 : 9);
  write(sizes);
  console.log(reportSizes(sizes));
}

function write(result: unknown): void {
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
}
