// Two processes, or two threads of one, compete for the same thread of a conversation, and the owner dies.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createRecords, openThread } from '@utensil/core';
import { createHearing, followed, inherited } from '@utensil/tooling-rivals';
import type { Report, Rival } from '@utensil/tooling-rivals';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesystemStorage } from './filesystem.ts';

let root: string;
let rivals: Rival[];
beforeEach(async () => {
  root = await fs.mkdtemp(join(tmpdir(), 'utensil-'));
  rivals = [];
});
afterEach(async () => {
  await Promise.all(rivals.map((each) => each.kill()));
  await fs.rm(root, { recursive: true });
});

const program = join(import.meta.dirname, 'test-kit/rival-program.ts');
const execArgv = ['--conditions=@utensil/source', '--no-warnings'];

const kinds: Readonly<Record<string, () => Rival>> = {
  process() {
    const { hear, ...hearing } = createHearing();
    const child = fork(program, [root], { execArgv });
    child.on('message', (report) => hear(report as Report));
    return {
      ...hearing,
      order: (order) => void child.send(order),
      async kill() {
        if (child.kill('SIGKILL')) await once(child, 'exit');
      },
    };
  },
  worker() {
    const { hear, ...hearing } = createHearing();
    const worker = new Worker(program, { workerData: root, execArgv });
    worker.on('message', (report: Report) => hear(report));
    return {
      ...hearing,
      order: (order) => worker.postMessage(order),
      kill: async () => void (await worker.terminate()),
    };
  },
};

async function two(kind: keyof typeof kinds): Promise<readonly [Rival, Rival]> {
  const start = (): Rival => {
    const rival = kinds[kind]?.();
    if (rival === undefined) throw new Error(`There is no kind '${kind}'.`);
    rivals.push(rival);
    return rival;
  };
  const both = [start(), start()] as const;
  await Promise.all(both.map(({ says }) => says(({ event }) => event === 'ready')));
  return both;
}

const thread = () => openThread(createRecords(filesystemStorage(root)), 'race');
const whole = ['Go.', 'I save it.', 'save has returned.', 'Done.'];
const refusal = { code: 'thread_busy', value: expect.stringMatching(/^thread_busy: the run '[^']+' is at work/) };

describe.each(['process', 'worker'])('two of one thread, each in a %s', (kind) => {
  it('one works; the other is told which run has the thread, and follows until it has the answer', async () => {
    const outcome = await followed(thread(), await two(kind));
    expect(outcome).toMatchObject({ refusal, effects: 1, texts: whole });
  });

  it('the owner is killed: the other one goes on, nothing is done twice, and nothing is lost', async () => {
    const outcome = await inherited(thread(), await two(kind));
    expect(outcome).toMatchObject({ refusal, effects: 1, texts: whole, end: { value: 'complete' } });
  });
});
