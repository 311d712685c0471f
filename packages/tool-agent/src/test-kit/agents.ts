import {
  createFiles,
  createRegistry,
  defineTool,
  jsonSchema,
  emptySettings,
  resolveToolset,
  run,
  textOf,
} from '@utensil/core';
import type {
  Files,
  Json,
  JsonObject,
  Message,
  ModelRequest,
  Run,
  RunEvent,
  RunOptions,
  Tool,
  ToolResultPart,
} from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { ScriptedModel, ScriptedTurn } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { createAgents } from '../agents.ts';
import type { Agents } from '../agents.ts';
import { modelTable } from '../models.ts';
import { spawnAgentTool } from '../spawn-agent.ts';

// Shared by the tests of agents.

export type Script = readonly (ScriptedTurn | ((request: ModelRequest) => ScriptedTurn))[];

export interface Setting {
  /** Script of the conversation's model. */
  readonly outer: Script;
  /** Script of the agents' model. */
  readonly inner?: Script | ScriptedModel;
  readonly tools?: readonly Tool[];
  readonly options?: JsonObject;
  readonly files?: Files;
  readonly agents?: Agents;
  readonly more?: Partial<RunOptions>;
}

export interface Played extends Run {
  readonly model: ScriptedModel;
  readonly inner: ScriptedModel;
}

export const newFiles = () => createFiles(memoryStorage());

export function play(
  { outer, inner = [], tools = [], options = {}, files = newFiles(), agents = createAgents(), more }: Setting,
  start: (options: RunOptions) => Run = run,
): Played {
  const innerModel = 'stream' in inner ? inner : scriptedModel(inner, { id: 'inner' });
  const host = { files, agents, models: modelTable({ inner: innerModel, other: scriptedModel([{ text: 'Other.' }]) }) };
  const settings = {
    ...emptySettings,
    tools: { spawn_agent: { enabled: true, options: { model: 'inner', ...options } } },
  };
  const toolset = resolveToolset(createRegistry([spawnAgentTool, ...tools]), settings, host);
  const model = scriptedModel(outer);
  return { ...start({ model, toolset, messages: 'Go.', ...more }), model, inner: innerModel };
}

export const spawn = (input: JsonObject): ScriptedTurn => ({ calls: [{ name: 'spawn_agent', input }] });

export const resultsOf = (messages: readonly Message[]): readonly ToolResultPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));

/** The result of the agent, as the model, the app and people see it. */
export async function resultOf(
  played: Played,
): Promise<{ readonly read: string; readonly output: JsonObject; readonly part: ToolResultPart }> {
  const part = resultsOf((await played.result).messages)[0] as ToolResultPart;
  return { read: textOf(part.modelParts), output: part.output as JsonObject, part };
}

/** Answer of one agent with a task. */
export const answerOf = (inner: Script, setting: Partial<Setting> = {}, input: JsonObject = {}) => {
  const played = play({ outer: [spawn({ task: 'Do it.', ...input }), {}], inner, ...setting });
  return resultOf(played).then((seen) => ({ ...seen, played }));
};

export async function eventsOf({ events }: Pick<Run, 'events'>): Promise<readonly RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of events()) seen.push(event);
  return seen;
}

export const plain = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: name,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => name,
    ...more,
  });

export const returning = (value: Json): ScriptedTurn => ({ calls: [{ name: 'return', input: { value } }] });

export const idOf = (request: ModelRequest): string =>
  /\[Agent (\w+)\./.exec(textOf(resultsOf(request.messages).at(-1)?.modelParts ?? []))?.[1] ?? '';
