import { platform } from '../base/environment.ts';
import type { JsonObject } from '../base/json.ts';
import { jsonSchema } from '../schema/json-schema.ts';
import type { Message, ToolResultPart } from '../model/message.ts';
import { noUsage } from '../model/usage.ts';
import type { Model, ModelPart, ModelRequest } from '../model/model.ts';
import { createRegistry } from '../tool/registry.ts';
import { emptySettings } from '../settings/settings.ts';
import { scriptedModel } from '../testing/index.ts';
import type { ScriptedModel, ScriptedTurn } from '../testing/index.ts';
import { hmacSeals } from '../base/seals.ts';
import type { Seals } from '../base/seals.ts';
import type { Note } from '../run/run-thread.ts';
import type { CallEntry } from '../thread/entry.ts';
import { memoryThread as inMemory } from '../thread/memory-thread.ts';
import type { Thread } from '../thread/thread.ts';
import { defineTool } from '../tool/define.ts';
import type { Tool } from '../tool/tool.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import type { Toolset } from '../toolset/toolset.ts';
import { approvalOf } from '../run/permission/approval-entry.ts';
import type { RunEvent } from '../tool/run-event.ts';
import { run } from '../run/lazy-run.ts';
import type { Run, RunOptions } from '../run/run.ts';

// Helpers that the tests of runs share.

/** A tool that takes anything and returns its name. */
export const tool = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: name,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => name,
    ...more,
  });

export const toolsetOf = (tools: readonly Tool[]): Toolset => resolveToolset(createRegistry(tools), emptySettings, {});

/** A run of a script, or of a model, with these tools. */
export function play(
  script: readonly ScriptedTurn[] | Model,
  tools: readonly Tool[] = [],
  more: Partial<RunOptions> = {},
): Run & { readonly model: ScriptedModel } {
  const model = ('stream' in script ? script : scriptedModel(script)) as ScriptedModel;
  return { model, ...run({ model, toolset: toolsetOf(tools), messages: 'Go.', ...more }) };
}

/** A model whose turns are streamed as the test says: it waits wherever a turn yields a promise. */
export function streamedModel(
  turns: readonly ((request: ModelRequest) => Iterable<ModelPart | Promise<unknown>>)[],
): Model & { readonly requests: readonly ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    info: { api: 'text', id: 'streamed' },
    requests,
    async *stream(request) {
      const turn = turns[requests.length];
      requests.push(request);
      for (const part of turn?.(request) ?? [finish()]) {
        if (part instanceof Promise) await part;
        else yield part;
      }
    },
  };
}

export const call = (callId: string, name: string, input = {}): ModelPart => ({
  type: 'tool-call',
  callId,
  name,
  input,
  executedBy: 'us',
});

export const finish = (reason: 'stop' | 'tool-calls' | 'length' = 'stop'): ModelPart => ({
  type: 'finish',
  reason,
  usage: noUsage,
});

/** A promise that the test settles. */
export interface Gate extends Promise<void> {
  open(): void;
  fail(error: Error): void;
}

export function gate(): Gate {
  let settle: Pick<Gate, 'open' | 'fail'> | undefined;
  const promise = new Promise<void>((open, fail) => (settle = { open, fail }));
  return Object.assign(promise, settle);
}

export async function eventsOf({ events }: Pick<Run, 'events'>): Promise<readonly RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of events()) seen.push(event);
  return seen;
}

/** The first event of a type, when it comes. */
export async function until<Type extends RunEvent['type']>(
  { events }: Pick<Run, 'events'>,
  type: Type,
): Promise<Extract<RunEvent, { type: Type }>> {
  for await (const event of events()) if (event.type === type) return event as Extract<RunEvent, { type: Type }>;
  throw new Error(`The run ended without ${type}.`);
}

export const resultsOf = (messages: readonly Message[]): readonly ToolResultPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));

/** Entries that {@link memoryThread} gets other than messages. */
type Mark = Note;

/** A thread in memory whose entries a test may look at and add to. */
export function memoryThread(before: readonly Message[] = []): Thread & {
  readonly log: Message[];
  readonly marks: Mark[];
} {
  const log: Message[] = [...before];
  const marks: Mark[] = [];
  let draft: Message | undefined;
  const { claim, watch } = inMemory('t');
  return {
    id: 't',
    log,
    marks,
    async read({ after = 0 } = {}) {
      const messages = log.map((message) => ({ type: 'message', message }) as const);
      const entries = [...messages, ...marks].map((entry, index) => ({ position: index + 1, entry }));
      const page = entries.filter(({ position }) => position > after);
      return { entries: page, last: entries.length, more: false, ...(draft && { draft }) };
    },
    async append(entries, options = {}) {
      if (options.release === true) await options.claim?.release();
      for (const entry of entries) {
        if (entry.type === 'draft') draft = entry.message;
        else if (entry.type !== 'message' && entry.type !== 'revision') marks.push(entry);
        else {
          if (draft?.id === entry.message.id) draft = undefined;
          log.push(entry.message);
        }
      }
      return log.length + marks.length;
    },
    claim,
    watch,
  };
}

/** A thread that reports each message, drafts too, and waits before it stores it. */
export function telling<Kind extends Thread>(thread: Kind, tell: (message: Message) => unknown): Kind {
  return {
    ...thread,
    async append(entries, options) {
      for (const entry of entries) if ('message' in entry) await tell(entry.message);
      return thread.append(entries, options);
    },
  };
}

/** A short form of a thread's entries about calls. */
export const marksOf = (marks: readonly Mark[]): readonly (readonly [type: string, callId: string])[] =>
  marks.flatMap((mark) => ('callId' in mark ? [[mark.type, mark.callId] as const] : []));

/** Seals with a key of the tests. */
export const testSeals = hmacSeals(new Uint8Array(32).fill(1));

/** The entry of an approved call of this tool, with this input, in the thread of {@link memoryThread}. */
export async function approvedCall(
  calledTool: Tool,
  more: { readonly callId?: string; readonly input?: JsonObject; readonly time?: number; readonly seals?: Seals } = {},
): Promise<CallEntry> {
  const { callId = '1', input = {}, time = Date.now(), seals = testSeals } = more;
  const { name } = calledTool;
  const ready = await toolsetOf([calledTool]).prepare({ name, input });
  const environment = { ...platform(), now: () => time };
  return approvalOf(
    { callId, name, ready },
    { seals, projectId: 'default', thread: { id: 't' }, runId: 'r', environment },
  );
}
