import { secrets as secretsCapability } from './capability.ts';
import type { Host, HostOf, Requirements, Secrets } from './capability.ts';
import { compileTool } from './compile.ts';
import type { CompiledTool } from './compile.ts';
import { messageOf } from './errors.ts';
import { executeTool, failure } from './execute.ts';
import type { CallContext, ToolResult } from './execute.ts';
import { explainIssues } from './explain.ts';
import type { JsonObject } from './json.ts';
import type { Api, ModelInfo, ToolCall, ToolDefinition } from './model.ts';
import { repair } from './repair.ts';
import type { Registry } from './registry.ts';
import { titleOf } from './render.ts';
import { isEnabled, settingsOf } from './settings/settings.ts';
import type { Settings } from './settings/settings.ts';
import type { Effect, Tool } from './tool.ts';

/** A call, checked: what would happen if it were executed. */
export interface PreparedCall {
  /** The arguments after repair, as history keeps them. */
  readonly input: JsonObject;
  /** What was repaired, one sentence each. */
  readonly repairs: readonly string[];
  readonly title: string;
  readonly icon?: string;
  readonly effects: Effect;
  readonly openWorld: boolean;
  readonly idempotent: boolean;
  /** The tool has no `execute`: the client answers. */
  readonly clientAnswers: boolean;
  /** Set where the call cannot run (unknown tool, invalid arguments): the answer to it. */
  readonly refusal?: ToolResult;
  readonly toolFingerprint?: string;
  /** Runs it. Never throws. */
  execute(context: CallContext): Promise<ToolResult>;
}

/** What a toolset is asked to prepare: a call's name and arguments. */
export type RequestedCall = Pick<ToolCall, 'name' | 'input' | 'invalidInput'>;

/** Who asks for prompts. */
export interface PromptRequest {
  readonly model: ModelInfo;
  readonly projectId: string;
  readonly threadId?: string;
  /** Told of a tool whose prompt failed; the others are not affected. */
  warn?(problem: string): void;
}

/** A tool that cannot be used, and why. */
export interface Unavailable {
  readonly tool: Tool;
  readonly reason: string;
}

/** What one run may use: registry × settings × host, at one moment. Later changes of them take effect with the next. */
export interface Toolset {
  /** Sorted by name; the same array for an api every time. */
  definitions(model: Pick<ModelInfo, 'api'>): readonly ToolDefinition[];
  /** The instructions of the tools, in the order of the registry. None of a tool that the vendor has built in. */
  prompts(request: PromptRequest): Promise<readonly string[]>;
  /** Tools that are on and cannot be used: a capability is missing, or their own definition fails. */
  readonly unavailable: readonly Unavailable[];
  /** Checks a call: finds the tool, validates and repairs the arguments. Never throws. */
  prepare(call: RequestedCall): Promise<PreparedCall>;
  /** Prepares and executes a call. Never throws. A tool that is disabled or unavailable is as unknown as one that never was. */
  execute(call: RequestedCall, context: CallContext): Promise<ToolResult>;
}

/**
 * Resolves which tools a run may use.
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
  const { usable, unavailable } = sortOut(registry, settings, host);
  const byName = new Map(usable.map((compiled) => [compiled.tool.name, compiled]));
  const sorted = [...byName.keys()].sort().map((name) => byName.get(name) as CompiledTool);
  const byApi = new Map<Api, readonly ToolDefinition[]>();

  function definitions({ api }: Pick<ModelInfo, 'api'>): readonly ToolDefinition[] {
    const known = byApi.get(api) ?? Object.freeze(sorted.map((compiled) => compiled.definition(api)));
    byApi.set(api, known);
    return known;
  }

  async function prepare(call: RequestedCall): Promise<PreparedCall> {
    const compiled = byName.get(call.name);
    if (compiled === undefined) return refused(call, failure('unknown_tool', `Unknown tool: ${call.name}`));
    return prepareCall(compiled, call, host);
  }

  return {
    definitions,
    unavailable,
    prepare,
    async prompts(request) {
      const tools = definitions(request.model);
      const prompting = usable.filter(({ tool }) => tool.prompt !== undefined);
      const texts = await Promise.all(prompting.map((compiled) => promptOf(compiled, { request, tools, host })));
      return texts.filter((text) => text !== '');
    },
    async execute(call, context) {
      return (await prepare(call)).execute(context);
    },
  };
}

function sortOut(
  registry: Registry,
  settings: Settings,
  host: Host,
): { usable: CompiledTool[]; unavailable: Unavailable[] } {
  const usable: CompiledTool[] = [];
  const unavailable: Unavailable[] = [];
  for (const tool of registry.snapshot()) {
    if (!isEnabled(settings, tool)) continue;
    const missing = Object.values(tool.requires ?? {}).filter(({ name }) => host[name] === undefined);
    try {
      if (missing.length > 0)
        throw new Error(`It needs ${missing.map(({ name }) => name).join(', ')}, which this app does not offer.`);
      usable.push(compileTool(tool, settingsOf(settings, tool).options));
    } catch (error) {
      unavailable.push({ tool, reason: messageOf(error) });
    }
  }
  return { usable, unavailable };
}

function hostFor({ requires = {} }: Tool, host: Host): HostOf<Requirements> {
  return Object.fromEntries(Object.entries(requires).map(([alias, { name }]) => [alias, host[name]]));
}

interface PromptSource {
  readonly request: PromptRequest;
  readonly tools: readonly ToolDefinition[];
  readonly host: Host;
}

async function promptOf(
  { tool, options, definition }: CompiledTool,
  { request, tools, host }: PromptSource,
): Promise<string> {
  const { model, projectId, threadId } = request;
  if (tool.prompt === undefined || definition(model.api).type === 'native') return '';
  if (typeof tool.prompt === 'string') return tool.prompt;
  const context = {
    api: model.api,
    modelId: model.id,
    projectId,
    ...(threadId !== undefined && { threadId }),
    host: hostFor(tool, host),
    tools,
  };
  try {
    return await tool.prompt(options, context);
  } catch (error) {
    request.warn?.(`The prompt of tool "${tool.name}" failed and was left out: ${messageOf(error)}`);
    return '';
  }
}

async function prepareCall(compiled: CompiledTool, call: RequestedCall, host: Host): Promise<PreparedCall> {
  const { tool } = compiled;
  const checked = await check(compiled, call);
  const { input, repairs } = checked;
  if (checked.refusal !== undefined) return { ...refused({ ...call, input }, checked.refusal), ...look(tool, input) };
  const toolFingerprint = await compiled.fingerprint();
  return {
    input,
    repairs,
    ...look(tool, input),
    effects: effectsOf(compiled, checked.value),
    openWorld: tool.openWorld ?? false,
    idempotent: tool.idempotent ?? false,
    clientAnswers: tool.execute === undefined,
    toolFingerprint,
    execute: (context) =>
      executeTool({
        compiled,
        toolFingerprint,
        value: checked.value,
        context,
        host: hostFor(tool, host),
        secrets: host[secretsCapability.name] as Secrets | undefined,
      }),
  };
}

function look(tool: Tool, input: JsonObject): Pick<PreparedCall, 'title' | 'icon'> {
  return { title: titleOf(tool, input), ...(tool.ui?.icon !== undefined && { icon: tool.ui.icon }) };
}

function refused({ name, input }: RequestedCall, refusal: ToolResult): PreparedCall {
  return {
    input,
    repairs: [],
    title: name,
    effects: 'read',
    openWorld: false,
    idempotent: true,
    clientAnswers: false,
    refusal,
    execute: () => Promise.resolve(refusal),
  };
}

function effectsOf({ tool, options }: CompiledTool, value: unknown): Effect {
  if (typeof tool.effects === 'string') return tool.effects;
  try {
    return tool.effects(value, options);
  } catch {
    return 'destructive';
  }
}

interface Checked {
  readonly input: JsonObject;
  readonly repairs: readonly string[];
  readonly value?: unknown;
  readonly refusal?: ToolResult;
}

/** Validates the arguments; those that fail are repaired and validated once more. */
async function check({ tool, input: schema, inputSchema }: CompiledTool, call: RequestedCall): Promise<Checked> {
  const { input, invalidInput } = call;
  if (invalidInput !== undefined)
    return { input, repairs: [], refusal: failure('invalid_json', invalidJsonText(invalidInput)) };
  try {
    const first = await schema['~standard'].validate(input);
    if (first.issues === undefined) return { input, repairs: [], value: first.value };
    const { value, repairs } = repair(input, inputSchema);
    if (repairs.length > 0) {
      const second = await schema['~standard'].validate(value);
      if (second.issues === undefined) return { input: value as JsonObject, repairs, value: second.value };
    }
    const text = `Invalid input for tool "${tool.name}":\n${explainIssues(first.issues, input, inputSchema)}`;
    return { input, repairs: [], refusal: failure('invalid_input', text) };
  } catch (error) {
    const text = `The input of tool "${tool.name}" could not be checked: ${messageOf(error)}`;
    return { input, repairs: [], refusal: failure('invalid_input', text) };
  }
}

function invalidJsonText(text: string): string {
  try {
    JSON.parse(text);
    return 'Arguments must be a JSON object.';
  } catch (error) {
    return `Failed to parse JSON arguments: ${messageOf(error)}`;
  }
}
