// A process of the soak: takes open threads in random order and runs or resumes them, until it is killed.
import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createRecords,
  hmacSeals,
  isUtensilError,
  openThread,
  resume,
  run,
  type Holder,
  type Message,
  type RecordStore,
  type Run,
  type RunOptions,
  type Thread,
} from '@utensil/core';
import { filesystemStorage, processHolder } from '@utensil/storage-filesystem';
import { noteEffect } from './ledger.ts';
import { createRandom, type Random } from './random.ts';
import { policy, soakModel, soakToolset, type World } from './scenes.ts';

/** Settings that all processes of a soak share. */
export interface Soak {
  readonly root: string;
  /** A file outside of the root for the effects that took place. */
  readonly ledger: string;
  /** File for reports of processes. */
  readonly log: string;
  /** A file with the ids of the threads that are not done. */
  readonly open: string;
  readonly leaseMs: number;
  /** The longest pause of a tool or a model. */
  readonly pauseMs: number;
  /** Threads that a process works on at a time. */
  readonly lanes: number;
}

/** Report of a process about a thread. */
export interface Said {
  readonly type: 'claiming' | 'claimed' | 'busy' | 'ended';
  readonly thread: string;
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Tells one attempt to take a thread from another. */
  readonly attempt: string;
  readonly fence?: number;
  readonly status?: string;
  readonly code?: string;
  readonly problem?: string;
  /** Text of a message that the run took while it was at work. */
  readonly sent?: string;
}

/** Every process of the app has the key. */
export const seals = hmacSeals(new Uint8Array(32).fill(7));

/** Begins a thread. Its id is the same in each process, so only one of them can begin it. */
export function firstMessage(id: string): Message {
  return { id: `${id}/go`, role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 1 };
}

/** Every other thread is held by name, so that its holder is known to be dead; the others have to wait for the lease. */
export function holderOf(id: string): { readonly holder?: Holder } {
  return Number(id.slice(1)) % 8 < 4 ? { holder: processHolder() } : {};
}

export async function work(): Promise<void> {
  const [soak, seed] = JSON.parse(process.argv[2] ?? '') as [Soak, number];
  const random = createRandom(seed);
  const records = createRecords(filesystemStorage(soak.root));
  process.stdin.on('close', () => process.exit()).resume(); // no orphans if the supervisor ends
  await Promise.all(Array.from({ length: soak.lanes }, () => workInLane(soak, records, random)));
  process.exit();
}

async function workInLane(soak: Soak, records: RecordStore, random: Random): Promise<void> {
  for (;;) {
    const open = JSON.parse(readFileSync(soak.open, 'utf8')) as string[];
    const id = random.pick(open);
    if (id === undefined) return;
    await workOn(id, { soak, records, random });
    await sleep(random.below(20));
  }
}

/** Environment of a process. */
export interface Bench {
  readonly soak: Soak;
  readonly records: RecordStore;
  readonly random: Random;
}

/** Takes a thread as far as it goes now. */
export async function workOn(id: string, { soak, records, random }: Bench): Promise<void> {
  const attempt = randomUUID();
  const say = (type: Said['type'], more: Partial<Said> = {}): void => {
    const said: Said = { type, thread: id, pid: process.pid, time: Date.now(), attempt, ...more };
    appendFileSync(soak.log, `${JSON.stringify(said)}\n`);
  };
  const thread = told(openThread(records, id, holderOf(id)), { say, leaseMs: soak.leaseMs });
  const world: World = {
    effect: (label) => noteEffect(soak.ledger, label),
    pause: () => sleep(random.below(soak.pauseMs)),
    id: () => randomUUID(),
  };
  const options: Omit<RunOptions, 'messages'> & { readonly thread: Thread } = {
    thread,
    model: soakModel(world, id),
    toolset: soakToolset(world, id),
    policy,
    seals,
    questions: { parkAfterMs: 30 },
  };
  const isBegun = (await thread.read({ limit: 1 })).entries.length > 0;
  const playing = isBegun ? resume(options) : run({ ...options, messages: [firstMessage(id)] });
  const sent = await sendTo(playing, { id: `${id}/${attempt}`, random });
  const { status, error } = await playing.result;
  say('ended', {
    status,
    ...(sent !== undefined && { sent }),
    ...(error && { code: error.code, problem: error.message }),
  });
}

/** Writes into some runs while they are at work, and gives the text of the message if it was taken. */
async function sendTo(playing: Run, { id, random }: { id: string; random: Random }): Promise<string | undefined> {
  if (random.next() > 0.1) return undefined;
  await sleep(random.below(200));
  try {
    playing.send(id);
    return id;
  } catch (error) {
    if (isUtensilError(error, 'run_ended')) return undefined;
    throw error;
  }
}

interface Telling {
  readonly leaseMs: number;
  say(type: Said['type'], more?: Partial<Said>): void;
}

/** A thread that says who takes it, with a lease that is short. */
function told(thread: Thread, { say, leaseMs }: Telling): Thread {
  return {
    ...thread,
    async claim(options) {
      say('claiming');
      try {
        const claim = await thread.claim({ ...options, ttlMs: leaseMs });
        say('claimed', { fence: claim.fence });
        return claim;
      } catch (error) {
        if (isUtensilError(error, 'thread_busy')) say('busy');
        throw error;
      }
    },
  };
}
