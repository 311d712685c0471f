import { memoryStorage } from '@utensil/storage-memory';
import { isUtensilError } from '../../base/errors.ts';
import { callsOf, textOf } from '../../model/message.ts';
import type { Model } from '../../model/model.ts';
import { createRecords } from '../../records/records.ts';
import type { ResumeOptions, Run } from '../../run/run.ts';
import { resume } from '../../run/lazy-run.ts';
import { answerQuestion } from '../../thread/answer-question.ts';
import { messagesOf } from '../../thread/messages.ts';
import { openQuestions } from '../../thread/open-questions.ts';
import { openThread } from '../../thread/open-thread.ts';
import { deleteThread } from '../../thread/summary.ts';
import type { Claim, Thread } from '../../thread/thread.ts';
import { call, finish, testSeals, tool, toolsetOf } from '../runs.ts';
import type { Action } from './actions.ts';
import { programLife } from './program-life.ts';
import type { ProgramLife } from './program-life.ts';
import { notedThread } from './scene.ts';
import type { Scene } from './scene.ts';
import { scheduledClock, scheduledRecords } from './scheduled.ts';
import { storedClaim } from './stored-claim.ts';
import type { StoredClaim } from './stored-claim.ts';

/** A program that has the thread open. */
export interface Program {
  readonly life: ProgramLife;
  readonly thread: Thread;
  /** Options of its runs. */
  options(): ResumeOptions;
  /** Does one thing after the other, then ends its runs. */
  play(plan: readonly Action[]): Promise<void>;
}

const dayMs = 86_400_000;

/**
 * A program of the race; or one before or after it, which nothing holds up and which knows that all others have ended.
 * After damage to the owner's record nobody knows that, so the one after the race starts two days later.
 */
export function createProgram(scene: Scene, name: string, index?: 0 | 1): Program {
  const { race, scheduler, dead, state } = scene;
  const isOutside = index === undefined;
  const life = programLife(async (label) => isOutside || scheduler.schedule(Promise.resolve(), `${name}: ${label}`));
  if (!isOutside) scene.living.add(life);
  const records = scheduledRecords(createRecords(memoryStorage({ state, namespace: 'main' })), life.step);
  const isLate = scene.isOver && (race.damages ?? []).length > 0;
  const offsetMs = isLate ? 2 * dayMs : race.clocksDiffer && index === 1 ? dayMs : 0;
  const isKnownDead = (id: string): boolean => isOutside || (race.knowsDeath && dead.has(id));
  const good = openThread(records, 't', {
    holder: { id: () => name, isAlive: (id) => (isKnownDead(id) ? false : undefined) },
    clock: scheduledClock(life.step, { renewals: isOutside ? 0 : race.renewals, offsetMs }),
  });
  const thread = notedThread(scene, { ...good, ...scene.defect(good, records) });

  const options = (): ResumeOptions => {
    const execute = async (label: string): Promise<string> => {
      scene.effects.push(label);
      await life.step(label);
      return label;
    };
    const tools = ['save', 'note'].map((each) => tool(each, { effects: 'write', execute: () => execute(each) }));
    const policy = ({ name: called }: { readonly name: string }) => (called === 'save' ? 'ask' : 'allow');
    return { thread, seals: testSeals, model: labelledModel(++scene.attempts), policy, toolset: toolsetOf(tools) };
  };

  const remove = (): Promise<void> => deleteThread(records, 't');
  const hands = createHands(scene, { name, thread, life, options, remove });
  return {
    life,
    thread,
    options,
    async play(plan) {
      await Promise.race([hands.doAll(plan), life.died]);
      if (life.isDead) dead.add(name);
      scene.living.delete(life);
      for (const other of scene.living) other.wake();
    },
  };
}

interface Body extends Pick<Program, 'thread' | 'life' | 'options'> {
  readonly name: string;
  remove(): Promise<void>;
}

/** Actions of a program on its thread, and their judgement by the observer. */
function createHands(scene: Scene, { name, thread, life, options, remove }: Body) {
  const runs: { readonly run: Run; readonly sent: string[] }[] = [];
  let held: Claim | undefined;

  async function append(text: string, claim?: Claim): Promise<void> {
    const message = {
      id: text,
      role: 'user',
      parts: [{ type: 'text', text }],
      createdAt: Date.now() + scene.acknowledged.length,
    } as const;
    await thread.append([{ type: 'message', message }], { ...(claim && { claim }) });
    scene.acknowledged.push(text);
  }

  const deeds: Readonly<Record<Action, (step: number) => unknown>> = {
    resume: () => void runs.push({ run: resume(options()), sent: [] }),
    async answer() {
      const last = runs.at(-1);
      if (last !== undefined) await untilAsked(last.run);
      const [question] = await openQuestions(thread);
      if (question === undefined) return;
      await answerQuestion(thread, { questionId: question.id, answer: 'once', seals: testSeals });
      scene.answers++;
    },
    send(step) {
      const last = runs.at(-1);
      last?.run.send(`${name} sent ${step}`, { questions: 'keep' });
      last?.sent.push(`${name} sent ${step}`);
    },
    append: (step) => append(`${name} said ${step}`),
    async claim() {
      held ??= await thread.claim({ runId: name });
    },
    'append as owner': (step) => held && append(`${name} stored ${step}`, held),
    async renew() {
      const wasLost = held !== undefined && held.fence < scene.latestFence;
      await held?.renew();
      if (wasLost && !scene.wasDeleted) scene.complaints.push('a claim that was lost is renewed');
    },
    async release() {
      await held?.release();
      held = undefined;
    },
    async wait() {
      for (let steps = 0; steps < 8; steps++) await life.step('wait');
    },
    pause() {
      const others = [...scene.living].filter((each) => each !== life);
      for (const other of others) other.wake();
      if (others.length > 0) life.pause();
    },
    die: life.die,
    async delete() {
      scene.wasDeleted = true;
      await remove();
    },
  };

  /** Ends a run that has nothing more to do. What was sent to it is stored, or the program has it back. */
  async function end({ run, sent }: (typeof runs)[number]): Promise<void> {
    await untilAsked(run);
    run.stop();
    const { messages } = await run.result;
    const kept = [...(await messagesOf(thread)), ...messages].map(({ parts }) => textOf(parts));
    for (const text of sent)
      if (!kept.includes(text) && !scene.wasDeleted) scene.complaints.push(`sent and lost: ${text}`);
  }

  async function doOne(action: Action, step: number): Promise<void> {
    await life.step(action);
    try {
      await deeds[action](step);
    } catch (error) {
      if (!isUtensilError(error)) throw error; // a code is an answer
      if (error.code !== 'thread_taken' || held === undefined) return;
      if (!isTaken(await storedClaim(scene.state), held)) scene.complaints.push('a claim was lost, but nobody took it');
    }
  }

  return {
    async doAll(plan: readonly Action[]): Promise<void> {
      for (const [step, action] of plan.entries()) await doOne(action, step);
      await doOne('release', plan.length);
      for (const each of runs) await end(each);
    },
  };
}

/** Resolves once a run waits for an answer, or is over. */
async function untilAsked({ events }: Run): Promise<void> {
  for await (const { type } of events()) if (type === 'approval-request' || type === 'recovery-request') return;
}

/** Calls each tool of which the history has no call, then says that it is done. */
function labelledModel(attempt: number): Model {
  return {
    info: { api: 'text', id: 'labelled' },
    async *stream({ messages, toolChoice }) {
      const made = new Set(messages.flatMap(callsOf).map((each) => each.name));
      const open = toolChoice === 'none' ? [] : ['note', 'save'].filter((label) => !made.has(label));
      if (open.length === 0) yield { type: 'text-delta', text: 'Done.' };
      for (const label of open) yield call(`${label}-${attempt}`, label);
      yield finish(open.length > 0 ? 'tool-calls' : 'stop');
    },
  };
}

/** True if another program has the thread of a claim, or the thread is free. */
function isTaken({ owner, lease }: StoredClaim, { fence, runId }: Claim): boolean {
  if (owner?.fence === fence) return owner.runId !== runId;
  return Math.max(owner?.fence ?? 0, lease?.fence ?? 0) > fence;
}
