import {
  alternativesTo,
  branchOf,
  branchThread,
  callsOf,
  createListeners,
  lastOf,
  messageOf,
  openThread,
  permissions,
  resolveToolset,
  resume,
  run,
  settingsGrants,
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
import { adviceOn } from './advice.ts';
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
  /** The run under way, or the last one. */
  readonly run?: Run;
  readonly isRunning: boolean;
  /** It was interrupted, and can be continued. */
  readonly isUnfinished: boolean;
  /** What went wrong, for people. */
  readonly problem?: string;
  /** What was to be sent last, where it could not even be stored. */
  readonly unsent?: readonly ContentPart[];
}

/** A conversation with a model, kept as a thread. */
export interface Conversation {
  readonly id: string;
  /** The same object until something changes. */
  state(): ConversationState;
  subscribe(listener: () => void): () => void;
  /** Reads again what is stored, as after another tab has written. */
  reload(): Promise<void>;
  send(parts: readonly ContentPart[]): Promise<void>;
  /** Has an answer made anew, beside the one that is there. */
  regenerate(messageId: string): Promise<void>;
  /** Puts a question in other words, beside the one that is there. */
  edit(messageId: string, text: string): Promise<void>;
  /** Goes on with what was interrupted. */
  continue(): Promise<void>;
  answer(callId: string, answer: Answer, runId?: string): void;
  /** Lets the step under way finish; asked a second time, ends at once. */
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
  const thread = openThread(project.records, id, { warn: () => change({ problem: damaged }) });
  let all: readonly Message[] = [];
  let last: string | null | undefined;
  let state: ConversationState = { messages: [], branches: new Map(), isRunning: false, isUnfinished: false };
  let stops = 0;

  function change(changes: Partial<ConversationState>): void {
    state = { ...state, ...changes };
    notify();
  }

  function show(): void {
    const messages = last === null ? [] : branchOf(all, last);
    change({
      messages,
      branches: branchPlaces(all, messages),
      isUnfinished: !state.isRunning && isUnfinished(messages),
    });
  }

  async function reload(): Promise<void> {
    if (state.isRunning) return;
    all = await thread.messages();
    if (typeof last === 'string' && !all.some(({ id }) => id === last)) last = undefined;
    show();
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

  /** Begins a run, and follows it to its end. */
  async function begin(from: string | null | undefined, start: (options: ResumeOptions) => Run): Promise<void> {
    if (state.isRunning) return;
    const { problem: _, ...rest } = state;
    state = rest;
    change({ isRunning: true, isUnfinished: false });
    stops = 0;
    try {
      const choice = choiceOf(await readSettings(project.records));
      const running = start(await options(branchThread(thread, from), choice));
      last = undefined; // what the run adds is what was stored last
      change({ run: running });
      const { error } = await running.result;
      const problem = error && ((await whyUnreachable(error.code, choice)) ?? adviceOn(error.code));
      if (problem !== undefined) change({ problem });
    } catch (error) {
      change({ problem: messageOf(error) });
    } finally {
      change({ isRunning: false });
      await reload().catch((error: unknown) => change({ problem: messageOf(error) }));
    }
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
    async send(parts) {
      const { unsent: _, ...rest } = state;
      state = rest;
      const count = all.length;
      await begin(last, (options) => run({ ...options, messages: [{ role: 'user', parts }] }));
      if (all.length === count) change({ unsent: parts });
    },
    async regenerate(messageId) {
      const question = questionOf(messageId);
      if (question !== undefined) await begin(question, resume);
    },
    async edit(messageId, text) {
      const original = all.find(({ id }) => id === messageId);
      const others = original?.parts.filter(({ type }) => type === 'image' || type === 'file') ?? [];
      const parts = [...others, { type: 'text', text } as const];
      await begin(before(messageId), (options) => run({ ...options, messages: [{ role: 'user', parts }] }));
    },
    continue: () => begin(last, resume),
    answer: (callId, answer, runId) => state.run?.answer(callId, answer, runId),
    stop() {
      if (stops++ === 0) state.run?.stop();
      else state.run?.abort();
    },
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

/** Whether its last message is no answer, or only the beginning of one. */
function isUnfinished(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  if (last === undefined) return false;
  return last.role !== 'assistant' || last.incomplete === true || callsOf(last).length > 0;
}
