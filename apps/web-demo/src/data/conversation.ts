import {
  alternativesTo,
  branchOf,
  branchThread,
  callsOf,
  createListeners,
  lastOf,
  openThread,
  permissions,
  resolveToolset,
  resume,
  run,
  settingsGrants,
  UtensilError,
} from '@utensil/core';
import type {
  Answer,
  ContentPart,
  Message,
  PermissionTier,
  Registry,
  ResumeOptions,
  Run,
  Seals,
  SettingsStore,
  Thread,
  Toolset,
} from '@utensil/core';
import { problemOf } from './advice.ts';
import type { Problem } from './advice.ts';
import { answeringIn } from './answering.ts';
import { branchPlaces } from './branches.ts';
import type { BranchPlace } from './branches.ts';
import { hostOf } from './host.ts';
import { addressOf, choiceOf, loadModel, readSettings } from './model-choice.ts';
import type { ModelChoice } from './model-choice.ts';
import type { ProjectStorage } from './storage.ts';
import type { Vault } from './vault.ts';

const instructions =
  'You help a person in a web page. The tools work on the files of their project, which are kept in their browser. Use them to look before you answer, and change only what you are asked to. Be brief; the person sees every call and its result. Markdown is rendered.';

const damaged =
  'A message of this conversation cannot be read, because what the browser has stored is damaged. It was left as it is, and the others are shown.';

/** What a conversation needs. */
export interface ConversationSetup {
  readonly projectId: string;
  readonly project: ProjectStorage;
  readonly settings: SettingsStore;
  readonly registry: Registry;
  readonly vault: Vault;
  /** Seals for permissions that last. */
  readonly seals: Seals;
  readonly tier: PermissionTier;
}

/** What a screen shows of a conversation. */
export interface ConversationState {
  /** The conversation that is looked at, of all that the thread has. */
  readonly messages: readonly Message[];
  readonly branches: ReadonlyMap<string, BranchPlace>;
  /** The run under way, or the last one if it belongs to what is shown. */
  readonly run?: Run;
  readonly isRunning: boolean;
  /** Another tab answers: nothing can be begun here until it is done. */
  readonly isAnsweredElsewhere: boolean;
  /** What the other tab has stored last is among the messages. */
  readonly showsNewest: boolean;
  /** It was interrupted, and can be continued. */
  readonly isUnfinished: boolean;
  /** What went wrong outside of a run. How the last run ended is told by its events. */
  readonly problem?: Problem;
  /** Why the last run could not reach its server, if that was found out. */
  readonly reason?: string;
}

/** A conversation with a model, kept as a thread. */
export interface Conversation {
  readonly id: string;
  /** The same object until something changes. */
  state(): ConversationState;
  subscribe(listener: () => void): () => void;
  /** Reads again what is stored, as after another tab has written. */
  reload(): Promise<void>;
  /** Whether the message was stored. */
  send(parts: readonly ContentPart[]): Promise<boolean>;
  /** Has an answer made anew, beside the one that is there. */
  regenerate(messageId: string): Promise<void>;
  /** Puts a question in other words, beside the one that is there. Whether it was stored. */
  edit(messageId: string, text: string): Promise<boolean>;
  /** Goes on with what was interrupted. */
  continue(): Promise<void>;
  answer(callId: string, answer: Answer, runId?: string): void;
  /** Ends the run at once. What was said so far is kept. */
  stop(): void;
  /** Shows another of the messages that could stand in the place of this one, by its number from 0. */
  showOther(messageId: string, to: number): void;
  dismiss(): void;
}

/** Opens a conversation; it begins to exist with its first message. */
export function openConversation(id: string, setup: ConversationSetup): Conversation {
  const { projectId, project, settings, registry, vault, seals, tier } = setup;
  const grants = settingsGrants(settings, { seals, scope: projectId });
  const { notify, subscribe } = createListeners();
  const thread = openThread(project.records, id, { warn: () => change({ problem: { text: damaged } }) });
  const answering = answeringIn(`${projectId}/${id}`);
  let all: readonly Message[] = [];
  let last: string | null | undefined; // of the branch that is shown; undefined: the one that was stored last
  let ran: { readonly run: Run; readonly tip: string | undefined } | undefined;
  let attempt: Promise<boolean> | undefined;
  let ending: Promise<boolean> | undefined; // the attempt, from the end of its run until what it stored is read
  let state: ConversationState = {
    messages: [],
    branches: new Map(),
    isRunning: false,
    isAnsweredElsewhere: false,
    showsNewest: true,
    isUnfinished: false,
  };
  let stopping = new AbortController();

  function change(changes: Partial<ConversationState>): void {
    state = { ...state, ...changes };
    notify();
  }

  /** Shows the branch that ends with `last`, and its run: that of another branch would be folded over this one. */
  function show(changes: Partial<ConversationState> = {}): void {
    const { run: _, ...rest } = { ...state, ...changes };
    const messages = last === null ? [] : branchOf(all, last);
    const run = ran !== undefined && (rest.isRunning || endsIn(messages, ran.tip)) ? ran.run : undefined;
    state = {
      ...rest,
      ...(run && { run }),
      messages,
      branches: branchPlaces(all, messages),
      showsNewest: messages.at(-1)?.id === all.at(-1)?.id,
      isUnfinished: !rest.isRunning && !rest.isAnsweredElsewhere && isUnfinished(messages),
    };
    notify();
  }

  async function reload(): Promise<void> {
    if (state.isRunning) return;
    const [stored, isAnsweredElsewhere] = await Promise.all([thread.messages(), answering.isTaken()]);
    if (state.isRunning) return; // it began meanwhile
    all = stored;
    if (typeof last === 'string') last = all.some(({ id }) => id === last) ? lastOf(all, last) : undefined;
    const isNews = isAnsweredElsewhere && !state.isAnsweredElsewhere;
    show({ isAnsweredElsewhere });
    if (isNews) void answering.over().then(reload).catch(tell);
  }

  function tell(error: unknown): void {
    change({ problem: problemOf(error) });
  }

  function toolset(turn?: string): Toolset {
    return resolveToolset(
      registry,
      settings.current(),
      hostOf(project, { vault, ...(turn !== undefined && { turn }) }),
    );
  }

  async function options(branch: Thread, choice: ModelChoice): Promise<ResumeOptions> {
    const turn = crypto.randomUUID();
    return {
      model: await loadModel(choice, vault),
      toolset: toolset(turn),
      thread: branch,
      instructions,
      policy: permissions(tier),
      grants,
      seals,
      projectId,
    };
  }

  /** Begins a run on a branch, and follows it to its end. Whether anything was stored. */
  async function begin(
    branch: () => string | null | undefined,
    start: (options: ResumeOptions) => Run,
  ): Promise<boolean> {
    if (ending !== undefined) await ending; // whoever goes on the moment that a run is over has not to ask again
    if (state.isRunning || state.isAnsweredElsewhere) return false;
    attempt = runOn(branch(), start);
    const isStored = await attempt;
    ending = undefined;
    return isStored;
  }

  async function runOn(from: string | null | undefined, start: (options: ResumeOptions) => Run): Promise<boolean> {
    const before = last;
    const known = new Set(all.map(({ id }) => id));
    const { problem: _, reason: __, ...rest } = state;
    state = rest;
    last = from;
    ran = undefined;
    stopping = new AbortController();
    show({ isRunning: true });
    const isAlone = await answering.alone(() => follow(branchThread(thread, from), start));
    const isStored = all.some(({ id }) => !known.has(id));
    if (!isStored) last = before;
    show({ isRunning: false });
    if (!isAlone) await reload().catch(tell);
    return isStored;
  }

  async function follow(branch: Thread, start: (options: ResumeOptions) => Run): Promise<void> {
    const { signal } = stopping;
    try {
      const choice = choiceOf(await readSettings(project.records));
      const ready = await untilAborted(options(branch, choice), signal);
      if (ready === undefined) return;
      const run = start({ ...ready, signal });
      ran = { run, tip: undefined };
      change({ run });
      const { error } = await run.result;
      ending = attempt;
      const reason = error && (await untilAborted(whyUnreachable(error.code, choice), signal));
      if (reason !== undefined) change({ reason });
    } catch (error) {
      tell(error);
    }
    await settle(branch).catch(tell);
  }

  /** What the run has added is shown from here on, whatever another tab stores. */
  async function settle(branch: Thread): Promise<void> {
    const tip = (await branch.messages()).at(-1)?.id;
    all = await thread.messages();
    if (tip !== undefined) last = tip;
    if (ran !== undefined) ran = { ...ran, tip };
  }

  /** Sends a message on a branch. What could not be stored is in no conversation: what went wrong is said by the composer. */
  async function say(branch: () => string | null | undefined, parts: Message['parts']): Promise<boolean> {
    const earlier = ran;
    const isStored = await begin(branch, (options) => run({ ...options, messages: [{ role: 'user', parts }] }));
    const error = ran === earlier ? undefined : (await ran?.run.result)?.error;
    if (isStored || error === undefined) return isStored;
    ran = undefined;
    show({ problem: problemOf(new UtensilError(error.code, error.message)) });
    return false;
  }

  function before(messageId: string): string | null {
    const path = branchOf(all, lastOf(all, messageId));
    const index = path.findIndex(({ id }) => id === messageId);
    return path[index - 1]?.id ?? null;
  }

  /** The question that a message of the assistant, or a result, belongs to. */
  function questionOf(messageId: string): string | undefined {
    return branchOf(all, messageId).findLast(({ role }) => role === 'user')?.id;
  }

  return {
    id,
    state: () => state,
    subscribe,
    reload,
    send: (parts) => say(() => last, parts),
    async regenerate(messageId) {
      const question = questionOf(messageId);
      if (question !== undefined) await begin(() => question, resume);
    },
    async edit(messageId, text) {
      const original = all.find(({ id }) => id === messageId);
      const others = original?.parts.filter(({ type }) => type === 'image' || type === 'file') ?? [];
      const parts = [...others, { type: 'text', text } as const];
      return say(() => before(messageId), parts);
    },
    async continue() {
      await begin(() => last, resume);
    },
    answer: (callId, answer, runId) => state.run?.answer(callId, answer, runId),
    stop: () => stopping.abort(),
    showOther(messageId, to) {
      const other = alternativesTo(all, messageId)[to];
      if (other === undefined || state.isRunning) return;
      last = lastOf(all, other);
      show();
    },
    dismiss() {
      const { problem: _, ...rest } = state;
      state = rest;
      notify();
    },
  };
}

/** The reason that a server of the user's own cannot be reached; undefined if it cannot be found out. */
async function whyUnreachable(code: string, choice: ModelChoice): Promise<string | undefined> {
  if (code !== 'model_unreachable' || addressOf(choice) === undefined) return undefined;
  try {
    const { whyUnreachable } = await import('./connection-test.ts');
    return `${await whyUnreachable(choice)} What was said so far is kept.`;
  } catch {
    return undefined; // without a network, even this part of the app may not load
  }
}

/** Whether a run that ended with a message, or with none, is one of a conversation. */
function endsIn(messages: readonly Message[], tip: string | undefined): boolean {
  return tip === undefined ? messages.length === 0 : messages.some(({ id }) => id === tip);
}

/** What a promise gives; undefined if the signal fires first. */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([promise, aborted]);
}

/** Whether its last message is no answer, or only the beginning of one. */
function isUnfinished(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  if (last === undefined) return false;
  return last.role !== 'assistant' || last.incomplete === true || callsOf(last).length > 0;
}
