// A process that takes one thread after the other to its end, and says what it holds then.
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerQuestion, createRecords, openQuestions, openThread, resume, run, type RecordStore } from '@utensil/core';
import { filesystemStorage, processHolder } from '@utensil/storage-filesystem';
import { policy, soakModel, soakToolset, type World } from './scenes.ts';
import { firstMessage, seals } from './worker.ts';

/** Memory of a process after some threads. */
export interface Held {
  readonly threads: number;
  readonly heapBytes: number;
  readonly resources: readonly string[];
  /** Outcomes of the threads that had ended by then. */
  readonly statuses: readonly string[];
}

/** The numbers of threads after which it is told. */
export type AloneJob = { readonly root: string; readonly after: readonly number[] };

export async function workAlone(): Promise<void> {
  const { root, after } = JSON.parse(process.argv[2] ?? '') as AloneJob;
  const records = createRecords(filesystemStorage(root));
  const statuses = new Set<string>();
  for (let threads = 1; threads <= Math.max(...after); threads++) {
    statuses.add(await finish(records, `t${threads}`));
    if (!after.includes(threads)) continue;
    process.stdout.write(`${JSON.stringify(await held(threads, [...statuses]))}\n`);
  }
}

async function held(threads: number, statuses: readonly string[]): Promise<Held> {
  for (let round = 0; round < 3; round++) {
    await sleep(50);
    globalThis.gc?.();
  }
  const { heapUsed } = process.memoryUsage();
  return { threads, heapBytes: heapUsed, resources: process.getActiveResourcesInfo().toSorted(), statuses };
}

/** Runs a thread to its end: it parks with each question, and resumes with the answer. */
async function finish(records: RecordStore, id: string): Promise<string> {
  const world: World = { effect: () => undefined, pause: () => Promise.resolve(), id: () => randomUUID() };
  const thread = openThread(records, id, { holder: processHolder() });
  const options = {
    thread,
    model: soakModel(world, id),
    toolset: soakToolset(world, id),
    policy,
    seals,
    questions: { parkAfterMs: 1 },
  };
  let { status } = await run({ ...options, messages: [firstMessage(id)] }).result;
  while (status === 'needs-approval') {
    for (const question of await openQuestions(thread))
      await answerQuestion(thread, { questionId: question.id, answer: 'once', seals });
    ({ status } = await resume(options).result);
  }
  return status;
}
