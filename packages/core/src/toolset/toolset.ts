import type { Host } from '../tool/capability.ts';
import { compileTool } from '../call/compile.ts';
import type { CompiledTool } from '../call/compile.ts';
import { messageOf } from '../base/errors.ts';
import { whenReady } from '../base/eventually.ts';
import type { Eventually } from '../base/eventually.ts';
import type { CallContext } from '../call/call-context.ts';
import { formerNames } from '../tool/former-names.ts';
import type { ModelInfo, ToolDefinition } from '../model/model.ts';
import type { FilesObserver } from '../files/taint/observer.ts';
import { hostFor } from '../call/host-for.ts';
import type { RequestedCall } from '../call/requested-call.ts';
import type { PreparedCall } from '../call/prepare.ts';
import type { Registry } from '../tool/registry.ts';
import { isEnabled, settingsOf } from '../settings/settings.ts';
import type { Settings } from '../settings/settings.ts';
import type { Tool } from '../tool/tool.ts';
import { calls } from './calls.ts';
import { orPreparationFailure, unknownTool } from '../tool/result.ts';
import type { ToolResult } from '../tool/result.ts';

/** Context of a request for prompts. */
export interface PromptRequest {
  readonly model: ModelInfo;
  readonly projectId: string;
  readonly threadId?: string;
  /** The run as an observer of files. */
  readonly observer?: FilesObserver;
  /** Called with a tool whose prompt failed; the others are not affected. */
  warn?(problem: string): void;
}

/** A tool that cannot be used, with the reason. */
export interface Unavailable {
  readonly tool: Tool;
  readonly reason: string;
}

/**
 * The tools of one run: registry × settings × host at one moment. Later changes affect only toolsets resolved later.
 */
export interface Toolset {
  /**
   * Sorted by name; the same array for an API every time. Includes deferred tools if the model searches them itself.
   */
  definitions(model: Pick<ModelInfo, 'api' | 'supports'>): readonly ToolDefinition[];
  /**
   * Instructions for the model in registry order: the user's for a tool, else the tool's own prompt, which tools built
   * in by the vendor do not need.
   */
  prompts(request: PromptRequest): Promise<readonly string[]>;
  /** Enabled tools that cannot be used: a capability is missing, or their own definition fails. */
  readonly unavailable: readonly Unavailable[];
  /** Current name of the tool with this name, which may be a former one; the name itself if there is none. */
  nameOf(called: string): string;
  /** Definition of a usable tool by its current or a former name, for lists. To run one, prepare or execute a call. */
  tool(name: string): Tool | undefined;
  /**
   * Checks a call: finds the tool, validates and repairs the arguments. Synchronous if nothing must be loaded; rejects
   * only with `code_unavailable`, if a part of the app cannot be loaded.
   */
  prepare(call: RequestedCall): Eventually<PreparedCall>;
  /** The tool that reads the omitted part of long outputs, if there is one. */
  readonly readBack: string | undefined;
  /** Tools whose definitions are foreign. */
  readonly foreign: readonly string[];
  /** Derives another toolset: with a subset of its tools, with additional ones, or with a partly different host. */
  derive(change: ToolsetChange): Toolset;
  /** Prepares and executes a call. Never throws. Disabled, unavailable and unknown tools return the same result. */
  execute(call: RequestedCall, context: CallContext): Promise<ToolResult>;
}

/** Source of the current toolset: the same object as long as nothing has changed, as from {@link resolveToolset}. */
export type ToolsetSource = () => Toolset;

/** Difference between a toolset and the one it is derived from. */
export interface ToolsetChange {
  /** Current or former names of the tools to keep. Default: all. */
  readonly only?: readonly string[];
  /** True to drop tools that never only read. */
  readonly readOnly?: boolean;
  /** Tools to add, or to put in place of those with the same name, whatever the settings say. */
  readonly add?: readonly Tool[];
  /** Replaces capabilities of the host, such as `files` by those of a directory. */
  readonly host?: Host;
}

/**
 * Resolves the tools of a run. Memoized: the same toolset as long as registry, settings and host are the same.
 *
 * @example
 * ```ts
 * import { createRegistry, emptySettings, resolveToolset } from '@utensil/core';
 *
 * const toolset = resolveToolset(createRegistry(), emptySettings, {});
 * toolset.definitions({ api: 'openai-responses' });
 * ```
 */
export function resolveToolset(registry: Registry, settings: Settings, host: Host): Toolset {
  const known = registry.snapshot();
  const before = resolved.get(known);
  if (before !== undefined && before.settings === settings && isSame(before.host, host)) return before.toolset;
  const tools = known.filter((tool) => isEnabled(settings, tool));
  const toolset = toolsetOf(tools, { known, settings, host });
  resolved.set(known, { settings, host: { ...host }, toolset });
  return toolset;
}

/** Memo of each snapshot's latest toolset: a source asked at every step resolves nothing while nothing changes. */
const resolved = new WeakMap<readonly Tool[], Omit<Origins, 'known'> & { readonly toolset: Toolset }>();

function isSame(host: Host, other: Host): boolean {
  const names = Object.keys(other);
  return names.length === Object.keys(host).length && names.every((name) => host[name] === other[name]);
}

/** Inputs of a toolset other than its own tools. */
interface Origins {
  /** All tools, including disabled ones, whose names stay reserved. */
  readonly known: readonly Tool[];
  readonly settings: Settings;
  readonly host: Host;
}

function toolsetOf(tools: readonly Tool[], { known: all, settings, host }: Origins): Toolset {
  const { usable, unavailable } = sortOut(tools, settings, host);
  const byName = new Map(usable.map((compiled) => [compiled.tool.name, compiled]));
  const former = formerNames(all);
  const sorted = usable.toSorted((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  const known = new Map<string, readonly ToolDefinition[]>();

  function definitions({ api, supports }: Pick<ModelInfo, 'api' | 'supports'>): readonly ToolDefinition[] {
    const isWhole = supports?.deferredTools ?? false;
    const key = `${isWhole} ${api}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const told = Object.freeze(toldOf(sorted, isWhole).map((compiled) => compiled.definition(api)));
    known.set(key, told);
    return told;
  }

  /** Tools that the model knows from the beginning. `isWhole`: it searches deferred ones itself. */
  function toldOf(tools: readonly CompiledTool[], isWhole: boolean): readonly CompiledTool[] {
    const isSearched = !isWhole && usable.some(({ tool }) => tool.defer === true);
    return tools.filter(
      ({ tool }) => (isWhole || tool.defer !== true) && (isSearched || tool.role?.type !== 'tool-search'),
    );
  }

  /** A former name of an unavailable tool is left unchanged: the answer must not reveal that the tool exists. */
  function nameOf(called: string): string {
    const name = former.get(called);
    return name !== undefined && byName.has(name) ? name : called;
  }

  function prepare(call: RequestedCall): Eventually<PreparedCall> {
    const compiled = byName.get(nameOf(call.name));
    return whenReady(calls(), ({ prepareCall, refused }) =>
      compiled === undefined ? refused(call, unknownTool(call.name)) : prepareCall(compiled, call, host),
    );
  }

  return {
    definitions,
    unavailable,
    nameOf,
    tool: (name) => byName.get(nameOf(name))?.tool,
    prepare,
    readBack: usable.find(({ tool }) => tool.role?.type === 'output-reader')?.tool.name,
    foreign: usable.filter(({ tool }) => tool.foreign).map(({ tool }) => tool.name),
    derive({ only, readOnly = false, add = [], host: replaced }) {
      const scope = only && new Set(only.flatMap((name) => [name, former.get(name) ?? name]));
      const isReplaced = ({ name }: Tool): boolean => add.some((each) => each.name === name);
      const isKept = ({ name, effects }: Tool): boolean =>
        (scope?.has(name) ?? true) && !(readOnly && isChange(effects));
      const kept = tools.filter((tool) => isKept(tool) && !isReplaced(tool));
      const known = [...all.filter((tool) => !isReplaced(tool)), ...add];
      const newHost = { ...host, ...replaced };
      return toolsetOf([...kept, ...add], { known, settings, host: newHost });
    },
    async prompts(request) {
      const tools = definitions(request.model);
      const source = { request, settings, tools, host };
      const isWhole = request.model.supports?.deferredTools ?? false;
      const told = toldOf(usable, isWhole);
      // Most tools have none, and each would be a promise.
      const prompted = told.filter(
        ({ tool }) => (tool.prompt ?? settingsOf(settings, tool).instructions) !== undefined,
      );
      const texts = await Promise.all(prompted.map((compiled) => promptOf(compiled, source)));
      return texts.filter((text) => text !== '');
    },
    execute: (call, context) => orPreparationFailure(async () => (await prepare(call)).execute(context)),
  };
}

/** True if the tool declares that every call changes something. */
function isChange(effects: Tool['effects']): boolean {
  return typeof effects === 'string' && effects !== 'read';
}

interface Sorted {
  readonly usable: readonly CompiledTool[];
  readonly unavailable: readonly Unavailable[];
}

function sortOut(tools: readonly Tool[], settings: Settings, host: Host): Sorted {
  const usable: CompiledTool[] = [];
  const unavailable: Unavailable[] = [];
  for (const tool of tools) {
    try {
      const missing = Object.values(tool.requires ?? {}).filter(({ name }) => host[name] === undefined);
      if (missing.length > 0)
        throw new Error(`It needs ${missing.map(({ name }) => name).join(', ')}, which this app does not offer.`);
      usable.push(compileTool(tool, settingsOf(settings, tool).options));
    } catch (error) {
      unavailable.push({ tool, reason: messageOf(error) });
    }
  }
  return { usable, unavailable };
}

interface PromptSource {
  readonly request: PromptRequest;
  readonly settings: Settings;
  readonly tools: readonly ToolDefinition[];
  readonly host: Host;
}

async function promptOf(
  { tool, options, definition }: CompiledTool,
  { request, settings, tools, host }: PromptSource,
): Promise<string> {
  const { instructions } = settingsOf(settings, tool);
  if (instructions !== undefined) return instructions;
  const { model, projectId, threadId } = request;
  if (tool.prompt === undefined || definition(model.api).type === 'native') return '';
  if (typeof tool.prompt === 'string') return tool.prompt;
  const context = {
    api: model.api,
    modelId: model.id,
    projectId,
    ...(threadId !== undefined && { threadId }),
    host: hostFor(tool, host, request.observer),
    tools,
  };
  try {
    return (await tool.prompt(options, context)) ?? '';
  } catch (error) {
    request.warn?.(`The prompt of tool "${tool.name}" failed and was left out: ${messageOf(error)}`);
    return '';
  }
}
