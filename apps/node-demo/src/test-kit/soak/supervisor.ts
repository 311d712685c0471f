// Runs a soak: starts processes that work on threads, kills them at random moments and starts others, answers what is
// asked, and writes into threads while they are at work, until every thread is done.
import { type ChildProcess, spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  answerQuestion,
  createRecords,
  isUtensilError,
  messagesOf,
  openQuestions,
  openThread,
  type Question,
  type QuestionAnswer,
  type RecordStore,
} from '@utensil/core';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { bundleProgram } from '../bundle-program.ts';
import { linesOf, readLedger } from './ledger.ts';
import { createRandom, type Random } from './random.ts';
import { effectsOf, scenesOf } from './scenes.ts';
import { firstMessage, seals, type Said, type Soak } from './worker.ts';
import type * as Worker from './worker.ts';

/** Size of a soak. */
export interface SoakPlan {
  readonly threads: number;
  readonly processes: number;
  readonly lanes: number;
  readonly leaseMs: number;
  readonly pauseMs: number;
  /** Mean milliseconds between two moments at which some processes are killed: an owner that lives no longer than the lease takes nothing over. */
  readonly killEveryMs: number;
  /** Kills after which the processes are left alone. */
  readonly maxKills: number;
  readonly seed: number;
  /** Milliseconds after which unfinished threads are abandoned. */
  readonly withinMs: number;
}

/** A process that was killed, and has ended. */
export interface Death {
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Result of a soak. */
export interface Soaked {
  readonly soak: Soak;
  readonly ids: readonly string[];
  readonly records: RecordStore;
  readonly said: readonly Said[];
  readonly deaths: readonly Death[];
  /** Answers by kind of question. */
  readonly answers: ReadonlyMap<string, number>;
  /** By thread: ids of messages that were stored while it was at work. */
  readonly sent: ReadonlyMap<string, readonly string[]>;
  /** Threads that were abandoned. */
  readonly open: readonly string[];
  readonly tookMs: number;
}

/** Plays a soak in a folder that is removed after it was judged. */
export async function playSoak<Verdict>(plan: SoakPlan, judge: (soaked: Soaked) => Promise<Verdict>): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'utensil-soak-'));
  try {
    const { leaseMs, pauseMs, lanes } = plan;
    const [root, ledger, log, open] = ['project', 'ledger', 'log', 'open.json'].map((name) => join(folder, name));
    const soak: Soak = {
      root: root ?? '',
      ledger: ledger ?? '',
      log: log ?? '',
      open: open ?? '',
      leaseMs,
      pauseMs,
      lanes,
    };
    await mkdir(soak.root);
    const program = join(folder, 'worker.mjs');
    const entry: keyof typeof Worker = 'work';
    await bundleProgram({ folder: import.meta.dirname, module: './worker.ts', entry, outfile: program });
    return await judge(await supervise(plan, soak, program));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function supervise(plan: SoakPlan, soak: Soak, program: string): Promise<Soaked> {
  const start = Date.now();
  const random = createRandom(plan.seed);
  const ids = Array.from({ length: plan.threads }, (_, index) => `t${index}`);
  const supervisor = createSupervisor(ids, soak, random);
  const crew = createCrew(plan, { soak, program, random });
  while (supervisor.open.size > 0 && Date.now() - start < plan.withinMs) {
    if (supervisor.said.some(({ type }) => type === 'claimed')) crew.step();
    await supervisor.step();
    await sleep(20);
  }
  await crew.end();
  const tookMs = Date.now() - start;
  return { ...supervisor, soak, ids, deaths: crew.deaths, open: [...supervisor.open], tookMs };
}

interface Crew {
  readonly deaths: readonly Death[];
  /** Kills some processes if it is time. */
  step(): void;
  /** Ends all. */
  end(): Promise<void>;
}

/** The working processes: killed ones are replaced, so their number is constant. */
function createCrew(
  { processes, killEveryMs, maxKills }: SoakPlan,
  { soak, program, random }: { readonly soak: Soak; readonly program: string; readonly random: Random },
): Crew {
  const deaths: Death[] = [];
  const closed: Promise<unknown>[] = []; // those that were killed too: what died a moment ago may still look alive
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, [program, JSON.stringify([soak, random.below(2 ** 31)])], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    closed.push(new Promise((resolve) => child.once('close', resolve)));
    return child;
  };
  const crew = Array.from({ length: processes }, start);
  const delay = (): number => -Math.log(1 - random.next()) * killEveryMs;
  let next = 0;
  let kills = 0;

  function kill(index: number): void {
    const child = crew[index];
    if (child?.pid === undefined) return;
    const { pid } = child;
    child.once('exit', () => deaths.push({ pid, time: Date.now() }));
    child.kill('SIGKILL');
    kills++;
    crew[index] = start();
  }

  return {
    deaths,
    step() {
      if (Date.now() < next || kills >= maxKills) return;
      next = Date.now() + delay();
      for (let count = random.below(crew.length); count >= 0; count--) kill(random.below(crew.length));
    },
    async end() {
      setTimeout(() => crew.forEach((child) => child.kill('SIGKILL')), 10_000).unref();
      await Promise.all(closed);
    },
  };
}

interface Supervisor {
  readonly records: RecordStore;
  readonly open: Set<string>;
  readonly said: Said[];
  readonly answers: Map<string, number>;
  readonly sent: Map<string, readonly string[]>;
  /** Acts on the reports since the last step. */
  step(): Promise<void>;
}

function createSupervisor(ids: readonly string[], soak: Soak, random: Random): Supervisor {
  const records = createRecords(filesystemStorage(soak.root));
  const open = new Set(ids);
  const [answers, sent] = [new Map<string, number>(), new Map<string, readonly string[]>()];
  const said: Said[] = [];

  function tellOpen(): void {
    writeFileSync(`${soak.open}.new`, JSON.stringify([...open]));
    renameSync(`${soak.open}.new`, soak.open);
  }

  /** A person writes into one thread of three, while it is at work. */
  async function write(id: string): Promise<void> {
    if (sent.has(id) || Number(id.slice(1)) % 3 !== 0 || random.next() < 0.5) return;
    const thread = openThread(records, id);
    const messages = await messagesOf(thread);
    if (!messages.some((each) => each.id === firstMessage(id).id)) return; // it is still to be begun
    const message = { id: `${id}/more`, role: 'user', parts: [{ type: 'text', text: 'More.' }], createdAt: 2 } as const;
    await thread.append([{ type: 'message', message }]);
    sent.set(id, [message.id]);
  }

  async function answer(id: string): Promise<void> {
    const thread = openThread(records, id);
    for (const question of await openQuestions(thread)) {
      if (question.kind === 'recovery' && hasLivingLoser(said, id)) continue; // what it had begun may still take effect
      const given = answerTo(question, soak);
      try {
        await answerQuestion(thread, { questionId: question.id, answer: given, seals });
      } catch (error) {
        if (isUtensilError(error, 'question_closed')) continue; // the run went another way
        throw error;
      }
      const kind = `${question.kind}: ${String(given)}`;
      answers.set(kind, (answers.get(kind) ?? 0) + 1);
    }
  }

  async function close(id: string): Promise<void> {
    const messages = await messagesOf(openThread(records, id));
    const last = messages.at(-1);
    if (last?.role !== 'assistant' || last.parts.some(({ type }) => type === 'tool-call')) return; // written into since
    open.delete(id);
    tellOpen();
  }

  tellOpen();
  return {
    records,
    open,
    said,
    answers,
    sent,
    async step() {
      const told = linesOf(soak.log)
        .slice(said.length)
        .map((line) => JSON.parse(line) as Said);
      said.push(...told);
      for (const { type, thread, status } of told) {
        if (!open.has(thread)) continue;
        if (type === 'claimed') await write(thread);
        if (status?.startsWith('needs-') === true) await answer(thread);
        if (status === 'complete') await close(thread);
      }
    },
  };
}

/** True if a run that lost the thread still works, in a process that was slow but not killed. */
function hasLivingLoser(said: readonly Said[], id: string): boolean {
  const told = said.filter(({ thread }) => thread === id);
  const ended = new Set(told.flatMap(({ type, attempt }) => (type === 'ended' ? attempt : [])));
  const losers = told.filter(({ type }) => type === 'claimed').slice(0, -1);
  return losers.some(({ attempt, pid }) => !ended.has(attempt) && isRunning(pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Answer of a person who has checked the effects. */
function answerTo({ kind, input, callId }: Question, { ledger }: Soak): QuestionAnswer {
  if (kind === 'approval') return 'once';
  const label = String(input['label']);
  const scenes = scenesOf(label.replace(/-.*/, '')).flat();
  const call = scenes.flatMap((each) => [each, ...(each.inner ?? [])]).find((each) => each.label === label);
  if (call === undefined) throw new Error(`Nobody knows the call ${callId}.`);
  const effects = readLedger(ledger);
  const done = effectsOf(call).filter((each) => effects.has(each));
  if (done.length === 0) return 'again';
  return done.length === effectsOf(call).length ? 'accept' : 'reject';
}
