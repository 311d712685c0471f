// pnpm bench run-loop   what a step of the loop takes, for us, for loops written by hand, and for our peers
// pnpm bench storage    what it takes to write, read, list and search files, for us, by hand, and for our peers
// pnpm bench runs       what a run takes: until its tools start, with a thousand beside it, for its journal, and in tokens
// pnpm bench mappers    what our providers take of a stream and of a request, beside the vendors' SDKs alone
// pnpm bench workspace  what it takes to search and find files of a project, for us and for ripgrep
// pnpm bench sandbox    what scripts take in our sandbox, and what they do to a page, beside others and none
// pnpm bench web        what a person waits for in the web demo, in a conversation of 10,000 messages
// pnpm bench injection  how much hostile text leads to harm without a question, and how often people are asked in vain
// pnpm bench size       what they weigh: minified and compressed, at import, and installed

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { messageOf } from '@utensil/core';
import { environmentLine } from './load.ts';
import { reportInjection, runInjection } from './injection/injection.ts';
import { report } from './loop/report.ts';
import { runLoop } from './loop/run-loop.ts';
import { mappersOptions } from './mappers/mappers-options.ts';
import { reportMappers } from './mappers/report.ts';
import { runMappers } from './mappers/run-mappers.ts';
import { runLoopOptions } from './run-loop-options.ts';
import { reportRuns } from './runs/report.ts';
import { runRuns } from './runs/run-runs.ts';
import { runsOptions } from './runs/runs-options.ts';
import { reportSandbox } from './sandbox/report.ts';
import { runSandbox } from './sandbox/run-sandbox.ts';
import { sandboxOptions } from './sandbox/sandbox-options.ts';
import { measureSizes, reportSizes } from './size/size.ts';
import { reportStorage } from './storage/report.ts';
import { runStorage } from './storage/run-storage.ts';
import { storageOptions } from './storage/storage-options.ts';
import { runWeb } from './web/run-web.ts';
import { reportWorkspace } from './workspace/report.ts';
import { runWorkspace } from './workspace/run-workspace.ts';
import { workspaceOptions } from './workspace/workspace-options.ts';

const usage = `pnpm bench run-loop [--quick] [--rounds 5] [--mode scripted|http] [--tools 1,100,1000] [--only utensil,hand] [--warm-up 200] [--wait 10] [--json file]
pnpm bench storage [--quick] [--rounds 5] [--backend memory,filesystem,indexeddb] [--only utensil,raw] [--wait 10] [--json file]
pnpm bench runs [--quick] [--rounds 5] [--part tool-start,concurrent,journal,transcript] [--wait 10] [--json file]
pnpm bench mappers [--quick] [--rounds 5] [--api anthropic-messages,gemini] [--only text,calls,reasoning,requests] [--pieces 16384] [--wait 10] [--json file]
pnpm bench workspace [--quick] [--rounds 5] [--wait 10] [--json file]
pnpm bench sandbox [--quick] [--rounds 5] [--only utensil,hand] [--wait 10] [--json file]
pnpm bench web
pnpm bench injection [--json file]
pnpm bench size [--quick] [--json file]`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    backend: { type: 'string', default: '' },
    api: { type: 'string', default: '' },
    part: { type: 'string', default: '' },
    pieces: { type: 'string' },
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
else if (positionals[0] === 'storage') await benchStorage();
else if (positionals[0] === 'runs') await benchRuns();
else if (positionals[0] === 'mappers') await benchMappers();
else if (positionals[0] === 'workspace') await benchWorkspace();
else if (positionals[0] === 'sandbox') await benchSandbox();
else if (positionals[0] === 'web') runWeb();
else if (positionals[0] === 'injection') await benchInjection();
else if (positionals[0] === 'size') await benchSize();
else {
  console.error(usage);
  process.exitCode = 2;
}

async function benchRunLoop(): Promise<void> {
  const options = readOptions(runLoopOptions);
  if (options === undefined) return;
  const samples = await runLoop({ ...options, progress: (line) => console.error(line) });
  write(samples);
  console.log(`\n${report(samples)}`);
}

function readOptions<Options>(from: (given: typeof values) => Options): Options | undefined {
  try {
    return from(values);
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${usage}`);
    process.exitCode = 2;
    return undefined;
  }
}

async function benchStorage(): Promise<void> {
  const options = readOptions(storageOptions);
  if (options === undefined) return;
  const samples = await runStorage({ ...options, progress: (line) => console.error(line) });
  write(samples);
  console.log(`\n${reportStorage(samples)}`);
}

async function benchRuns(): Promise<void> {
  const options = readOptions(runsOptions);
  if (options === undefined) return;
  const samples = await runRuns({ ...options, progress: (line) => console.error(line) });
  write(samples);
  console.log(`\n${reportRuns(samples)}`);
}

async function benchMappers(): Promise<void> {
  const options = readOptions(mappersOptions);
  if (options === undefined) return;
  const samples = await runMappers({ ...options, progress: (line) => console.error(line) });
  write(samples);
  console.log(`\n${reportMappers(samples)}`);
}

async function benchWorkspace(): Promise<void> {
  const options = readOptions(workspaceOptions);
  if (options === undefined) return;
  const samples = await runWorkspace({ ...options, progress: (line) => console.error(line) });
  write(samples);
  console.log(`\n${reportWorkspace(samples)}`);
}

async function benchSandbox(): Promise<void> {
  const options = readOptions(sandboxOptions);
  if (options === undefined) return;
  const results = await runSandbox({ ...options, progress: (line) => console.error(line) });
  write(results);
  console.log(`\n${reportSandbox(results)}`);
}

async function benchInjection(): Promise<void> {
  const results = await runInjection((line) => console.error(line));
  write(results.attacks.map(({ attack: { name, kind }, ...rest }) => ({ name, kind, ...rest })));
  console.log(reportInjection(results));
  if (results.attacks.some(({ harm }) => harm.on !== undefined)) process.exitCode = 1;
}

async function benchSize(): Promise<void> {
  const sizes = await measureSizes(values.quick ? 1 : 9);
  write(sizes);
  console.log(reportSizes(sizes));
}

function write(result: unknown): void {
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
}
