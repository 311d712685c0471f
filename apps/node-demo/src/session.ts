import {
  answerQuestion,
  messagesOf,
  type ContentPart,
  createRegistry,
  createToolStats,
  listQuestions,
  memoryGrants,
  type Message,
  type NewMessage,
  openThread,
  permissions,
  type QuestionAnswer,
  type Registry,
  resolveToolset,
  resume,
  type ResumeOptions,
  type Run,
  run,
  type Seals,
  settingsGrants,
  type Thread,
  type WaitingQuestion,
  type Toolset,
  type ToolsetSource,
  type ToolStats,
  UtensilError,
} from '@utensil/core';
import { storedBudget } from '@utensil/core/budget';
import { listThreads, type ThreadSummary } from '@utensil/core/thread';
import { processHolder } from '@utensil/storage-filesystem';
import type { LocalShell } from '@utensil/local-shell';
import type { AskPerson } from '@utensil/interop-mcp/client';
import { listModelNames, nameModel } from './find-model.ts';
import { createFolderServers, type FolderServers } from './mcp/folder-servers.ts';
import { type KnownVersions, knownVersions } from './mcp/known-versions.ts';
import { type ChosenModel, chooseModel, type ModelWishes } from './model-choice.ts';
import { rememberModel } from './remembered-model.ts';
import { demoTools, openToolHost } from './tools.ts';
import { turnOf, undoLast } from './undo.ts';
import { isUnfinished } from './unfinished.ts';
import type { Workspace } from './workspace.ts';

const instructions =
  'You help a person with the files of a project, in a terminal. Use the tools to look before you answer, and change nothing that you were not asked to change. Be brief; the person sees every call and its result. Markdown is not rendered.';

/** Begins an answer. */
export type Begin = (signal: AbortSignal) => Run;

/** Dependencies of a session. */
export interface SessionSetup extends ModelWishes {
  readonly workspace: Workspace;
  /** Default: offline. */
  readonly model?: string | ChosenModel | undefined;
  /** For tools that run commands; without it, these tools are missing. */
  readonly shell?: LocalShell | undefined;
  /** Seals of lasting approvals; without them, approvals end with the program. */
  readonly seals?: Seals | undefined;
  /** Daily limit for the cost of answers in this folder, in US dollars. */
  readonly budget?: number | undefined;
  /** Allows every change. */
  readonly yes: boolean;
  /** True if somebody can answer questions. */
  readonly interactive: boolean;
  /** Asks the person an MCP server's question. */
  readonly askForServer?: AskPerson | undefined;
  /** Called with stored data that cannot be read. */
  warn(problem: UtensilError): void;
}

/** A person at work in a folder: one model and one thread at a time, both of which may change. */
export interface Session {
  readonly workspace: Workspace;
  readonly registry: Registry;
  /** The MCP servers of the folder. Their tools are in the registry. */
  readonly servers: FolderServers;
  /** The versions of their tools. */
  readonly versions: KnownVersions;
  /** True if somebody can answer questions. */
  readonly interactive: boolean;
  /** True if every change is allowed. */
  readonly yes: boolean;
  model(): ChosenModel;
  /** The names of the models that may be used. */
  modelNames(): Promise<readonly string[]>;
  /** Changes the model, and keeps it for the next time. */
  useModel(name: string): Promise<ChosenModel>;
  thread(): Thread;
  threads(): Promise<readonly ThreadSummary[]>;
  /** Pending questions of all threads, oldest first. */
  waiting(): Promise<readonly WaitingQuestion[]>;
  /** Answers a question of this thread. */
  answer(questionId: string, answer: QuestionAnswer): Promise<void>;
  /** Opens a thread by its number among the threads, or by the beginning of its id. Default: a new one. */
  useThread(name?: string): Promise<Thread>;
  /** Current tools. */
  toolset(): Toolset;
  /** The interrupted conversation that no other program works on: this one, or else the last one. */
  interrupted(): Promise<ThreadSummary | undefined>;
  /** Begins an answer to a text and its attachments. */
  send(text: string, attached?: readonly ContentPart[]): Begin;
  /** Outcomes of each tool's calls since the program began. */
  readonly stats: ToolStats;
  /** Chooses the conversation that was interrupted or that another program works on: this one, or else the last one. False if there is none. */
  chooseInterrupted(): Promise<boolean>;
  /** Resumes the interrupted conversation; undefined if there is none. */
  resume(): Promise<Begin | undefined>;
  /** Undoes the file changes of this thread's last turn, and returns its request; undefined if there is nothing to undo. */
  undo(): Promise<string | undefined>;
  /** Ends the processes of the tools. */
  close(): Promise<void>;
}

/** Opens a session with a new thread. */
export function createSession(setup: SessionSetup): Session {
  const { workspace, seals } = setup;
  const { records, settings } = workspace;
  const grants = seals === undefined ? memoryGrants() : settingsGrants(settings, { seals, scope: 'folder' });
  const budget =
    setup.budget === undefined ? undefined : storedBudget(records, { id: 'folder', limits: { cost: setup.budget } });
  const registry = createRegistry(demoTools(setup));
  const host = openToolHost({ folder: workspace.folder, shell: setup.shell });
  const servers = createFolderServers({
    folder: workspace.folder,
    registry,
    records,
    seals,
    env: setup.env,
    ask: setup.interactive ? setup.askForServer : undefined,
  });
  const versions = knownVersions(settings, seals);
  const told = new Set<string>(); // a thread is read again for every answer
  let model = typeof setup.model === 'object' ? setup.model : chooseModel(setup.model ?? 'offline', setup);
  let thread = newThread();
  let untold: readonly NewMessage[] = []; // what the model does not know yet

  function newThread(id: string = crypto.randomUUID()): Thread {
    return openThread(records, id, { warn, holder: processHolder() });
  }

  function warn(problem: UtensilError): void {
    if (!told.has(problem.message)) setup.warn(problem);
    told.add(problem.message);
  }

  function toolset(turn?: string): Toolset {
    return resolveToolset(registry, settings.current(), host.withFiles(workspace.files(turn)));
  }

  /** The tools at each step: those of servers come and go. */
  function toolsets(turn: string | undefined): ToolsetSource {
    const given = host.withFiles(workspace.files(turn));
    return () => versions.seen(resolveToolset(registry, settings.current(), given));
  }

  function options(signal: AbortSignal, turn: string | undefined): ResumeOptions {
    return {
      model: model.model,
      toolset: toolsets(turn),
      thread,
      instructions,
      policy: versions.policy(permissions(setup.yes ? 'bypass' : 'write'), { interactive: setup.interactive }),
      grants,
      ...(seals && { seals }),
      ...(budget && { budget }),
      interactive: setup.interactive,
      signal,
    };
  }

  async function interrupted(): Promise<ThreadSummary | undefined> {
    const all = await listThreads(records);
    const current = all.find(({ id }) => id === thread.id) ?? all[0];
    const messages = current === undefined ? [] : await messagesOf(newThread(current.id));
    return isUnfinished(messages) ? current : undefined;
  }

  async function chooseInterrupted(): Promise<boolean> {
    const found = await interrupted();
    if (found !== undefined && found.id !== thread.id) thread = newThread(found.id);
    return found !== undefined;
  }

  /** The interrupted conversation, if no other program has it. */
  async function leftAlone(): Promise<ThreadSummary | undefined> {
    const found = await interrupted();
    const owner = found && (await newThread(found.id).owner?.());
    return owner === undefined ? found : undefined;
  }

  return {
    workspace,
    registry,
    servers,
    versions,
    interactive: setup.interactive,
    yes: setup.yes,
    model: () => model,
    modelNames: () => listModelNames(setup),
    async useModel(name) {
      model = chooseModel(await nameModel(name, setup), setup);
      await rememberModel(records, model.name);
      return model;
    },
    thread: () => thread,
    threads: () => listThreads(records),
    waiting: () => listQuestions(records),
    answer: (questionId, answer) => answerQuestion(thread, { questionId, answer, ...(seals && { seals }) }),
    async useThread(name) {
      thread = newThread(name === undefined ? undefined : findThread(name, await listThreads(records)).id);
      untold = [];
      return thread;
    },
    toolset: () => toolset(),
    interrupted: leftAlone,
    stats: createToolStats(),
    send:
      (text, attached = []) =>
      (signal) => {
        const parts = [...attached, { type: 'text', text } as const];
        const asked: Message = { role: 'user', parts, id: crypto.randomUUID(), createdAt: Date.now() };
        const messages = [...untold, asked];
        untold = [];
        return run({ ...options(signal, asked.id), messages });
      },
    chooseInterrupted,
    async resume() {
      if (!(await chooseInterrupted())) return undefined;
      const turn = turnOf(await messagesOf(thread));
      return (signal) => resume(options(signal, turn));
    },
    async undo() {
      const asked = await undoLast(await messagesOf(thread), workspace.history);
      if (asked !== undefined)
        untold = [...untold, { role: 'user', parts: [{ type: 'text', text: undoneText(asked) }] }];
      return asked;
    },
    async close() {
      await Promise.all([servers.close(), host.close()]);
      await settings.close();
    },
  };
}

/** Note to the model, which would otherwise rely on its changes. */
function undoneText(asked: string): string {
  return `[I have taken back all changes of files that you made for ${JSON.stringify(asked.slice(0, 200))}.]`;
}

function findThread(name: string, threads: readonly ThreadSummary[]): ThreadSummary {
  const number = /^\d{1,4}$/.test(name) ? Number(name) : undefined;
  const found =
    number === undefined ? threads.filter(({ id }) => id.startsWith(name)) : threads.slice(number - 1, number);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const why = found.length > 1 ? `Several threads begin with "${name}"` : `There is no thread "${name}"`;
  throw new UtensilError('invalid_input', `${why}: name one by its number in /threads, or by its id.`);
}
