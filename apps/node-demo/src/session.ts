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
import { type ChosenModel, chooseModel, type ModelWishes } from './model-choice.ts';
import { rememberModel } from './remembered-model.ts';
import { demoTools, openToolHost } from './tools.ts';
import { turnOf, undoLast } from './undo.ts';
import { isUnfinished } from './unfinished.ts';
import type { Workspace } from './workspace.ts';

const instructions =
  'You help a person with the files of a project, in a terminal. Use the tools to look before you answer, and change only what you are asked to. Be brief; the person sees every call and its result. Markdown is not rendered.';

/** Begins an answer. */
export type Begin = (signal: AbortSignal) => Run;

/** Dependencies of a session. */
export interface SessionSetup extends ModelWishes {
  readonly workspace: Workspace;
  /** Default: offline. */
  readonly model?: string | ChosenModel | undefined;
  /** For tools that run commands; without it there are none. */
  readonly shell?: LocalShell | undefined;
  /** By which what a person allows counts after the program has ended; without them it does not. */
  readonly seals?: Seals | undefined;
  /** US dollars that answers in this folder may cost a day. */
  readonly budget?: number | undefined;
  /** Allows every change. */
  readonly yes: boolean;
  /** True if somebody can answer questions. */
  readonly interactive: boolean;
  /** Asks the person what an MCP server wants to know. */
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
  /** True if somebody can answer questions. */
  readonly interactive: boolean;
  model(): ChosenModel;
  /** The names of the models that may be used. */
  modelNames(): Promise<readonly string[]>;
  /** Changes the model, and keeps it for the next time. */
  useModel(name: string): Promise<ChosenModel>;
  thread(): Thread;
  threads(): Promise<readonly ThreadSummary[]>;
  /** What waits for an answer in all threads, oldest first. */
  waiting(): Promise<readonly WaitingQuestion[]>;
  /** Answers a question of this thread. */
  answer(questionId: string, answer: QuestionAnswer): Promise<void>;
  /** Opens a thread by its number among the threads, or by the beginning of its id. Default: a new one. */
  useThread(name?: string): Promise<Thread>;
  /** What may be used at the moment. */
  toolset(): Toolset;
  /** What was interrupted, and no other program is at work on: this conversation, or else the last one. */
  interrupted(): Promise<ThreadSummary | undefined>;
  /** Begins an answer to a text, with what was attached to it. */
  send(text: string, attached?: readonly ContentPart[]): Begin;
  /** Outcomes of each tool's calls since the program began. */
  readonly stats: ToolStats;
  /** Chooses what was interrupted, or another program is at work on: this conversation, or else the last one. False if there is none. */
  chooseInterrupted(): Promise<boolean>;
  /** Goes on with what was interrupted; undefined where nothing was. */
  resume(): Promise<Begin | undefined>;
  /** Takes back what the last turn of this thread did to the files, and gives what it had been asked; undefined where nothing is left. */
  undo(): Promise<string | undefined>;
  /** Ends what runs for the tools. */
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
    return () => resolveToolset(registry, settings.current(), given);
  }

  function options(signal: AbortSignal, turn: string | undefined): ResumeOptions {
    return {
      model: model.model,
      toolset: toolsets(turn),
      thread,
      instructions,
      policy: permissions(setup.yes ? 'bypass' : 'write'),
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

  /** What nobody has at the moment. */
  async function leftAlone(): Promise<ThreadSummary | undefined> {
    const found = await interrupted();
    const owner = found && (await newThread(found.id).owner?.());
    return owner === undefined ? found : undefined;
  }

  return {
    workspace,
    registry,
    servers,
    interactive: setup.interactive,
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

/** What the model is told, which would otherwise believe that files are as it left them. */
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
