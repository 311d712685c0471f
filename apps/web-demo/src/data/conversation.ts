import { answerQuestion, messagesOf, openQuestions, openThread, resume, run, UtensilError } from '@utensil/core';
import { branchThread } from '@utensil/core/thread';
import { createListeners } from '@utensil/core/storage';
import type { QuestionAnswer, ContentPart, Message, ResumeOptions, Run, Thread } from '@utensil/core';
import { currentTexts } from '../texts/texts.ts';
import { problemOf } from './advice.ts';
import { conversationLock } from './conversation-lock.ts';
import { stateOf } from './conversation-state.ts';
import type { ConversationFacts, ConversationState } from './conversation-state.ts';
import { addressOf, choiceOf, readSettings } from './model-choice.ts';
import type { ModelChoice } from './model-choice.ts';
import { runOptions } from './run-options.ts';
import type { RunSetup } from './run-options.ts';
import { branchAt, questionOf, tipBefore, withOther, withStored } from './shown-branch.ts';
import type { ShownBranch, Tip } from './shown-branch.ts';
import { markStopped, stoppedAt } from './stopping.ts';

/** A conversation with a model, stored as a thread. */
export interface Conversation {
  readonly id: string;
  /** The same object until something changes. */
  state(): ConversationState;
  subscribe(listener: () => void): () => void;
  /**
   * Reloads the stored messages, for example after another tab has written. A failure becomes the problem of the state.
   */
  reload(): Promise<void>;
  /** Sends a message. False if it was not stored. */
  send(parts: readonly ContentPart[]): Promise<boolean>;
  /** Generates an alternative answer. */
  regenerate(messageId: string): Promise<void>;
  /** Sends an edited question as an alternative to the first one. False if it was not stored. */
  edit(messageId: string, text: string): Promise<boolean>;
  /** Continues an interrupted answer. */
  continue(): Promise<void>;
  /** Answers a question of the shown run, in this or another tab. */
  answer(questionId: string, answer: QuestionAnswer): void;
  /** Cancels a call of the run in this tab; `path` as for `run.cancel`. */
  cancel(path: readonly string[]): void;
  /**
   * Answers a question, wherever its run is, and continues the run here if it is not active. Throws as `answerQuestion`
   * does.
   */
  answerFromElsewhere(questionId: string, answer: QuestionAnswer): Promise<void>;
  /** Aborts the run. Everything received so far is kept. */
  stop(): void;
  /** Shows the alternative of a message with this number, from 0. */
  showOther(messageId: string, to: number): void;
  /** Removes the problem's notice. */
  dismiss(): void;
}

const nobodyElse = { isAnsweredElsewhere: false, owner: undefined } as const;

interface Following {
  start(options: ResumeOptions): Run;
  /** Fires when the browser suspends the page. */
  readonly suspended: AbortSignal;
}

/** Opens a conversation; it is stored with its first message. */
export function openConversation(id: string, setup: RunSetup): Conversation {
  const { projectId, project } = setup;
  const { notify, subscribe } = createListeners();
  const thread = openThread(project.records, id, {
    holder: { id: () => 'tab', isAlive: () => false }, // this tab holds the conversation's lock, so any other claim is abandoned
    warn: () => change({ problem: { text: currentTexts().problems.damagedMessage } }),
  });
  const answering = conversationLock(`${projectId}/${id}`);
  const watched = openThread(project.records, id, { holder: { id: () => 'tab', isAlive: () => answering.isTaken() } });
  let facts: ConversationFacts = {
    branch: branchAt([], undefined),
    ran: undefined,
    isRunning: false,
    ...nobodyElse,
    problem: undefined,
    reason: undefined,
    stoppedAt: undefined,
  };
  let state = stateOf(facts);
  let stopping = new AbortController();
  let attempt: Promise<boolean> | undefined;
  let isSettling = false; // the run is over, and its messages are being read

  function change(changes: Partial<ConversationFacts>): void {
    facts = { ...facts, ...changes };
    state = stateOf(facts);
    notify();
  }

  function tell(error: unknown): void {
    change({ problem: problemOf(error) });
  }

  async function reload(): Promise<void> {
    await readAgain().catch(tell);
  }

  async function readAgain(): Promise<void> {
    if (facts.isRunning) return;
    const [stored, others, stopped] = await Promise.all([
      messagesOf(thread),
      readOthers(),
      stoppedAt(project.records, id),
    ]);
    if (facts.isRunning) return; // it began meanwhile
    const isNews = others.isAnsweredElsewhere && !facts.isAnsweredElsewhere;
    change({ branch: withStored(facts.branch, stored), ...others, stoppedAt: stopped });
    if (isNews) void answering.over().then(reload).catch(tell);
  }

  /** State of another answering tab: since when, and its open questions. */
  async function readOthers(): Promise<Pick<ConversationFacts, keyof typeof nobodyElse>> {
    if (!(await answering.isTaken())) return nobodyElse;
    const [owner, questions] = await Promise.all([watched.owner?.(), openQuestions(thread)]);
    const now = { ...(owner?.since !== undefined && { since: owner.since }), questions };
    const isSame = JSON.stringify(now) === JSON.stringify(facts.owner);
    return { isAnsweredElsewhere: true, owner: isSame ? facts.owner : now };
  }

  /** Starts a run on a branch, and follows it to its end. False if nothing was stored. */
  async function begin(tip: () => Tip, start: (options: ResumeOptions) => Run): Promise<boolean> {
    if (isSettling) await attempt; // saves a person who continues right at the end of a run from asking again
    if (facts.isRunning || facts.isAnsweredElsewhere) return false;
    attempt = runAfter(tip(), start);
    return attempt;
  }

  async function runAfter(tip: Tip, start: (options: ResumeOptions) => Run): Promise<boolean> {
    const earlier = facts.branch;
    stopping = new AbortController();
    const branch = branchAt(earlier.all, tip);
    change({ branch, ran: undefined, isRunning: true, problem: undefined, reason: undefined });
    const settled = await answering.alone((suspended) => follow(branchThread(thread, tip), { start, suspended }));
    const known = new Set(earlier.all.map((message) => message.id));
    const isStored = settled?.all.some((message) => !known.has(message.id)) === true;
    isSettling = false;
    change({ branch: isStored ? settled : branchAt(settled?.all ?? earlier.all, earlier.tip), isRunning: false });
    if (settled === undefined) await reload();
    return isStored;
  }

  /** The branch as the run left it. */
  async function follow(branch: Thread, { start, suspended }: Following): Promise<ShownBranch> {
    const signal = AbortSignal.any([stopping.signal, suspended]);
    try {
      const choice = choiceOf(await readSettings(project.records));
      const ready = await untilAborted(runOptions(setup, choice, branch), signal);
      if (ready === undefined) return facts.branch;
      const run = start({ ...ready, signal });
      change({ ran: { run, tip: undefined } });
      const { error } = await run.result;
      isSettling = true;
      change({ reason: error && (await untilAborted(whyUnreachable(error.code, choice), signal)) });
    } catch (error) {
      tell(error);
    }
    return settle(branch).catch((error: unknown) => {
      tell(error);
      return facts.branch;
    });
  }

  /** Reads the messages stored by the run. Its branch stays shown, whatever other tabs store. */
  async function settle(branch: Thread): Promise<ShownBranch> {
    const tip = (await messagesOf(branch)).at(-1)?.id;
    if (facts.ran !== undefined) change({ ran: { ...facts.ran, tip } });
    if (stopping.signal.aborted && tip !== undefined) {
      await markStopped(project.records, id, tip).catch(() => undefined); // other tabs will call it interrupted
      change({ stoppedAt: tip });
    }
    return branchAt(await messagesOf(thread), tip ?? facts.branch.tip);
  }

  /** Sends a message after a tip. If it cannot be stored, the composer shows the error, since no run exists. */
  async function say(tip: () => Tip, parts: Message['parts']): Promise<boolean> {
    const earlier = facts.ran;
    const isStored = await begin(tip, (options) => run({ ...options, messages: [{ role: 'user', parts }] }));
    const error = facts.ran === earlier ? undefined : (await facts.ran?.run.result)?.error;
    if (isStored || error === undefined) return isStored;
    change({ ran: undefined, problem: problemOf(new UtensilError(error.code, error.message)) });
    return false;
  }

  async function answerFromElsewhere(questionId: string, answer: QuestionAnswer): Promise<void> {
    await answerQuestion(thread, { questionId, answer, seals: setup.seals });
    await reload();
    void begin(() => facts.branch.tip, resume);
  }

  return {
    id,
    state: () => state,
    subscribe,
    reload,
    send: (parts) => say(() => facts.branch.tip, parts),
    async regenerate(messageId) {
      const question = questionOf(facts.branch, messageId);
      if (question !== undefined) await begin(() => question, resume);
    },
    async edit(messageId, text) {
      const original = facts.branch.all.find((message) => message.id === messageId);
      const others = original?.parts.filter(({ type }) => type !== 'text') ?? [];
      return say(() => tipBefore(facts.branch, messageId), [...others, { type: 'text', text }]);
    },
    async continue() {
      await begin(() => facts.branch.tip, resume);
    },
    answer(questionId, answer) {
      if (facts.isAnsweredElsewhere) void answerFromElsewhere(questionId, answer).catch(tell);
      else state.run?.answer(questionId, answer);
    },
    cancel: (path) => void state.run?.cancel(path),
    answerFromElsewhere,
    stop: () => stopping.abort(),
    showOther(messageId, to) {
      const branch = withOther(facts.branch, messageId, to);
      if (branch !== undefined && !facts.isRunning) change({ branch });
    },
    dismiss: () => change({ problem: undefined }),
  };
}

/** Reason why the user's own server is unreachable; undefined if it cannot be determined. */
async function whyUnreachable(code: string, choice: ModelChoice): Promise<string | undefined> {
  if (code !== 'model_unreachable' || addressOf(choice) === undefined) return undefined;
  try {
    const { whyUnreachable } = await import('./connection-test.ts');
    return `${await whyUnreachable(choice)} ${currentTexts().problems.conversationSaved}`;
  } catch {
    return undefined; // offline, even this part of the app may fail to load
  }
}

/** Value of a promise; undefined if the signal fires first. */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([aborted, promise]);
}
