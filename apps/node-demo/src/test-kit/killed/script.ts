// Script of the killed run: tools of every kind, and a model that calls them scene after scene.
import {
  type JsonObject,
  type Model,
  type ModelPart,
  type ModelRequest,
  type Policy,
  type Tool,
  callsOf,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  resolveToolset,
  type Toolset,
  noUsage,
} from '@utensil/core';
import { between, type Reached } from './boundaries.ts';
import { watchedModel } from './watched-model.ts';
import { watchedTool } from './watched-tool.ts';

/** A call of the script. Its label tells it from the others, in every process. */
export interface ScriptedCall {
  readonly label: string;
  readonly tool: string;
  /** The stream goes on once this effect has happened: so it happens while the turn is not whole yet. */
  readonly waitsFor?: string;
}

export const scenes: readonly (readonly ScriptedCall[])[] = [
  // The write begins while the turn is streamed, and the call behind it comes after.
  [
    { label: 'look-first', tool: 'look' },
    { label: 'note-eager', tool: 'note', waitsFor: 'note-eager' },
    { label: 'set', tool: 'set' },
  ],
  // Parallel ones, and one that is asked about.
  [
    { label: 'look-left', tool: 'look' },
    { label: 'look-right', tool: 'look' },
    { label: 'send', tool: 'send' },
    { label: 'note-last', tool: 'note' },
  ],
  // Needs approval while there is no other work: the run parks.
  [{ label: 'mail', tool: 'send' }],
  // Calls that make calls, and begin runs, while the turn is streamed. They change nothing themselves.
  [
    { label: 'batch', tool: 'batch', waitsFor: 'batch-inner' },
    { label: 'delegate', tool: 'delegate', waitsFor: 'delegate-inner' },
    { label: 'nothing', tool: 'gone' },
  ],
  // Runs until the time of the run is over.
  [{ label: 'wait', tool: 'wait' }],
];

/** Calls about which the run asks in the thread alone: it parks, and somebody else answers. */
export const parks: readonly string[] = ['mail'];

/** Calls that resume their inner run if they are made again, so that its effects are not repeated. */
export const goesOn: readonly string[] = ['delegate'];

/** Calls whose effect doubles if they run twice, and the effects that show it. */
export const unrepeatable: Readonly<Record<string, string>> = {
  'note-eager': 'note-eager',
  send: 'send',
  mail: 'mail',
  'note-last': 'note-last',
  batch: 'batch-inner',
  delegate: 'delegate-inner',
};

/** Dependencies of the script's tools and model. */
export interface Stage {
  /** In the ids of calls: no model gives a second call the id of the first. */
  readonly attempt: number;
  /** An effect of a call, for all the world to see. */
  effect(label: string): void;
  happened(label: string): Promise<void>;
  /** Lets so much time pass that a draft of the turn is stored with its next part. */
  draftIsDue(): void;
  /** Renews the claim of the thread. */
  renew(): Promise<void>;
  /** Ends the time of the run. */
  endTime(): void;
}

export const policy: Policy = ({ name }) => (name === 'send' ? 'ask' : 'allow');

const input = jsonSchema<{ label: string }>({ type: 'object', properties: { label: { type: 'string' } } });

export function scriptedToolset(stage: Stage, at: Reached): Toolset {
  const tool = (name: string, more: Partial<Tool<{ label: string }>>): Tool<{ label: string }> =>
    defineTool({
      name,
      description: name,
      input,
      effects: 'write',
      execute({ label }) {
        stage.effect(label);
        return `did ${label}`;
      },
      ...more,
    });
  const inner = { messages: 'Note it.', tools: ['note'], model: watchedModel(innerModel(stage), at) };
  const tools = [
    tool('look', { effects: 'read' }),
    tool('note', {}),
    tool('set', {
      idempotent: true,
      async execute({ label }) {
        stage.effect(label);
        await stage.renew();
        return `did ${label}`;
      },
    }),
    tool('send', { effects: 'destructive', preview: ({ label }) => `It will do ${label}.` }),
    tool('batch', {
      effects: 'read',
      execute: async ({ label }, _, { call }) => (await call('note', { label: `${label}-inner` })).output,
    }),
    tool('delegate', {
      effects: 'read',
      execute: async (_, __, { run }) => (await (await run(inner)).result).text,
    }),
    tool('wait', { effects: 'read', execute: (_, __, { signal }) => untilOver(stage, signal, at) }),
  ];
  return resolveToolset(createRegistry(tools.map((each) => watchedTool(each, at))), emptySettings, {});
}

function untilOver(stage: Stage, signal: AbortSignal, at: Reached): Promise<never> {
  stage.effect('wait');
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => between(at, 'tool.cancel(wait)', () => reject(new Error('Cancelled.'))));
    stage.endTime();
  });
}

/** Makes the calls of the first scene of which the history has not every call. */
export function scriptedModel(stage: Stage, told: (request: ModelRequest) => void): Model {
  return {
    info: { api: 'text', id: 'scripted' },
    async *stream(request) {
      told(request);
      const made = new Set(request.messages.flatMap(callsOf).map((call) => call.input['label']));
      const open = scenes.map((scene) => scene.filter(({ label }) => !made.has(label)));
      const calls = request.toolChoice === 'none' ? [] : (open.find((scene) => scene.length > 0) ?? []);
      if (calls.some(({ label }) => parks.includes(label))) stage.draftIsDue();
      yield { type: 'text-delta', text: calls.length > 0 ? 'I go on.' : 'All is done.' };
      for (const { label, tool, waitsFor } of calls) {
        yield callOf(stage, tool, label);
        if (waitsFor !== undefined) await stage.happened(waitsFor);
      }
      yield finish(calls.length > 0);
    },
  };
}

/** The model of a run inside the run: it notes once. */
function innerModel(stage: Stage): Model {
  return {
    info: { api: 'text', id: 'inner' },
    async *stream({ messages }) {
      const isDone = messages.some(({ role }) => role === 'tool');
      if (isDone) yield { type: 'text-delta', text: 'Noted.' };
      else yield callOf(stage, 'note', 'delegate-inner');
      yield finish(!isDone);
    },
  };
}

function callOf({ attempt }: Stage, name: string, label: string): ModelPart {
  const given: JsonObject = { label };
  return { type: 'tool-call', callId: `${label}_${attempt}`, name, input: given, executedBy: 'us' };
}

function finish(hasCalls: boolean): ModelPart {
  return { type: 'finish', reason: hasCalls ? 'tool-calls' : 'stop', usage: noUsage };
}
