import {
  createFiles,
  createRecords,
  createRegistry,
  emptySettings,
  openThread,
  resolveToolset,
  run,
  textOf,
} from '@utensil/core';
import type { Host, JsonObject, Message, RunOptions, Settings, Tool, ToolResultPart } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { ScriptedTurn } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';

// Shared by the tests: an in-memory app, and a model that plays a script in one of its chats.

export const call = (name: string, input: JsonObject = {}): ScriptedTurn => ({ calls: [{ name, input }] });

export const resultsOf = (messages: readonly Message[]): readonly ToolResultPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));

export const shown = ({ modelParts }: ToolResultPart): string => textOf(modelParts);

export function createApp(tools: readonly Tool[], { host = {}, settings = emptySettings }: AppOptions = {}) {
  let time = 1_000_000;
  const storage = memoryStorage();
  const files = createFiles(storage);
  const records = createRecords(storage);
  const toolset = resolveToolset(createRegistry(tools), settings, { files, ...host });
  const environment = { now: () => (time += 1_000), id: () => `id-${(time += 1)}` };
  /** One message of the user's in a chat; the script, which answers it, ends with a word. */
  async function chat(threadId: string, script: readonly ScriptedTurn[], more: Partial<RunOptions> = {}) {
    const model = scriptedModel([...script, { text: 'Done.' }]);
    const thread = openThread(records, threadId);
    const played = await run({ model, toolset, thread, messages: 'Go.', environment, ...more }).result;
    return { ...played, model, results: resultsOf(played.messages) };
  }
  return { files, records, toolset, environment, chat };
}

interface AppOptions {
  readonly host?: Host;
  readonly settings?: Settings;
}
