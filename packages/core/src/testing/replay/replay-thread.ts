import { UtensilError } from '../../base/errors.ts';
import type { ModelInfo } from '../../model/model.ts';
import type { StoredEntry } from '../../thread/entry.ts';
import { messagesIn } from '../../thread/messages.ts';
import type { Thread } from '../../thread/thread.ts';
import { importThread } from '../../thread/import-thread.ts';
import { createRegistry } from '../../tool/registry.ts';
import type { Tool } from '../../tool/tool.ts';
import { emptySettings } from '../../settings/settings.ts';
import { resolveToolset } from '../../toolset/toolset.ts';
import type { Toolset, ToolsetSource } from '../../toolset/toolset.ts';
import { playSegment } from './play-segment.ts';
import type { AppOptions } from './replay-options.ts';
import { preload } from './preload.ts';
import { segmentsOf } from './segment.ts';
import type { Divergence } from './stage.ts';

/** Options of {@link replayThread}: those of the app's runs that the thread does not record. */
export interface ReplayOptions extends AppOptions {
  /** The app's tools: a toolset, or the tools alone, in which case their host is not needed. */
  readonly toolset: Toolset | ToolsetSource | readonly Tool[];
  /** Facts about the model that threads do not record, such as its context window. */
  readonly model?: Partial<ModelInfo>;
  /** Names of tools to execute for real. Default: none. */
  readonly real?: readonly string[];
  /** Names of fields that may differ, such as `title`. */
  readonly ignore?: readonly string[];
}

/** Result of a replay. */
export interface ThreadReplay {
  /** The first divergence; absent if the replay stored the same entries. */
  readonly divergence?: Divergence;
  /** Number of runs; one that continued in another process counts twice. */
  readonly runs: number;
  /** Number of turns requested from the model. */
  readonly steps: number;
  /** Descriptions of entries that cannot be replayed. */
  readonly notes: readonly string[];
}

/**
 * Replays a stored thread: the real loop prepares, judges and stores every call as it does today; stored turns act as
 * the model, and stored results as the tools. Nothing is executed, and there is no network access. `thread` may be the
 * output of `exportThread`.
 *
 * @throws `invalid_input` if no run has begun in the thread; `bundle_corrupt` or `bundle_newer` if the text is not an exported thread.
 * @example
 * ```ts
 * import { defineTool, jsonSchema, memoryThread, run, resolveToolset, createRegistry, emptySettings } from '@utensil/core';
 * import { replayThread, scriptedModel } from '@utensil/core/testing';
 *
 * const input = jsonSchema({ type: 'object' });
 * const look = defineTool({ name: 'look', description: 'Looks.', input, effects: 'read', execute: () => 'A tree.' });
 * const thread = memoryThread('walk');
 * const model = scriptedModel([{ calls: [{ name: 'look' }] }, { text: 'I see a tree.' }]);
 * const toolset = resolveToolset(createRegistry([look]), emptySettings, {});
 * await run({ model, toolset, thread, messages: 'What do you see?' }).result;
 *
 * const { divergence } = await replayThread(thread, { toolset: [look] });
 * if (divergence !== undefined) throw new Error(divergence.message);
 * ```
 */
export async function replayThread(thread: Thread | string, options: ReplayOptions): Promise<ThreadReplay> {
  const { toolset, model = {}, real = [], ignore = [], ...app } = options;
  const stored = typeof thread === 'string' ? await importThread(thread) : thread;
  const [{ entries }] = await Promise.all([stored.read(), preload()]);
  const notes = new Set<string>();
  const segments = segmentsOf(entries);
  if (segments.length === 0)
    throw new UtensilError('invalid_input', 'No run has begun in this thread: there is nothing to replay.');
  const isSealed = entries.some(({ entry }) => 'seal' in entry && entry.seal !== undefined);
  const used = isTools(toolset) ? toolsetFrom(toolset, entries) : toolset;
  let steps = 0;
  for (const [index, segment] of segments.entries()) {
    const played = await playSegment({
      threadId: stored.id,
      segment,
      toolset: used,
      options: app,
      model,
      real,
      ignored: ignore,
      notes,
      isSealed,
    });
    steps += played.steps;
    const { divergence } = played;
    if (divergence !== undefined) return { divergence, runs: index + 1, steps, notes: [...notes] };
  }
  return { runs: segments.length, steps, notes: [...notes] };
}

function isTools(toolset: ReplayOptions['toolset']): toolset is readonly Tool[] {
  return Array.isArray(toolset);
}

/**
 * Nothing is executed, so the required capabilities only have to exist. Tools that were never available are disabled.
 */
function toolsetFrom(tools: readonly Tool[], entries: readonly StoredEntry[]): Toolset {
  const names = tools.flatMap(({ requires = {} }) => Object.values(requires).map(({ name }) => name));
  const host = Object.fromEntries(names.map((name) => [name, {}]));
  const results = messagesIn({ entries }).flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));
  const isOff = ({ name }: Tool): boolean => {
    const own = results.filter((part) => part.name === name);
    return own.length > 0 && own.every(({ code }) => code === 'unknown_tool');
  };
  const chosen = Object.fromEntries(tools.map((tool) => [tool.name, { enabled: !isOff(tool) }]));
  return resolveToolset(createRegistry(tools), { ...emptySettings, tools: chosen }, host);
}
