import { settleCall } from './settle.ts';
import { loadMigration } from './later-code.ts';
import { fingerprintOf } from './tool-fingerprint.ts';
import { messageForModel } from '../base/host-paths.ts';
import { answer, loadOutputCheck } from './to-result.ts';
import type { Host, Secrets } from '../tool/capability.ts';
import { check } from './check.ts';
import type { Checked } from './check.ts';
import type { RequestedCall } from './requested-call.ts';
import { hostFor } from './host-for.ts';
import type { CommonMembers, CompiledTool } from './compile.ts';
import { isPromise, whenReady } from '../base/eventually.ts';
import type { Eventually } from '../base/eventually.ts';
import { executeTool } from './execute.ts';
import type { Execution } from './execute.ts';
import type { CallContext } from './call-context.ts';
import { canonicalJson, toJson } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { cut, titleOf } from './render.ts';
import type { ExplicitResult, ToolResult } from '../tool/result.ts';
import type { PreviewContext, Tool } from '../tool/tool.ts';
import type { Effect } from '../model/effect.ts';
import { failure } from '../tool/result.ts';

/** A call, checked: what would happen if it were executed. */
export interface PreparedCall extends CommonMembers {
  /** The tool's own name, by which everything is decided, whatever name it was called by. Of an unknown tool, that one. */
  readonly name: string;
  /** The arguments after repair, as history keeps them. */
  readonly input: JsonObject;
  /** The repairs, one sentence each. */
  readonly repairs: readonly string[];
  /** The arguments as an earlier version of the tool took them, if they were migrated. */
  readonly migratedFrom?: JsonObject;
  readonly title: string;
  readonly effects: Effect;
  /** For a search: its query, and the rest of its input. */
  readonly query?: { readonly text: string; readonly among: string };
  /** Set where the call cannot run (unknown tool, invalid arguments): the answer to it. */
  readonly refusal?: ToolResult;
  readonly toolFingerprint?: string;
  /** Runs it. Never throws. The result is there at once if its tool returns no promise. */
  execute(context: CallContext): Eventually<ToolResult>;
  /** A preview for the user who is asked; undefined if the tool has none, or fails. Never throws. */
  preview?(context: Pick<CallContext, 'projectId' | 'threadId' | 'principal'>): Promise<Json | undefined>;
  /**
   * Asks the tool for the outcome of an interrupted call. `seen` takes the answer, and returns the output for the
   * result. Absent: the tool cannot tell. Never throws.
   */
  reconcile?(context: CallContext, seen: (told: unknown) => unknown): Promise<ToolResult>;
  /**
   * Waits for the result of a call that goes on in the background. `leftMs`: as long as it is still waited for. Absent: the tool
   * cannot tell. Never throws.
   */
  settleDetached?(handle: Json, context: CallContext, leftMs?: number): Promise<ToolResult>;
  /** Milliseconds that it may go on there; 0: no limit. */
  readonly settleTimeoutMs?: number;
  /** The result that the client or a middleware gave, in place of running it. Never throws. */
  settle(output: Json | ExplicitResult, context: Pick<CallContext, 'outputLimit'>): Promise<ToolResult>;
}

/** Checks a call of a tool. Throws only `code_unavailable`. */
export function prepareCall(compiled: CompiledTool, call: RequestedCall, host: Host): Eventually<PreparedCall> {
  if (call.stored === undefined || compiled.tool.migrateCall === undefined) return prepared(compiled, call, host);
  return whenReady(loadMigration(), ({ prepareStored }) =>
    prepareStored(compiled, call, (migrated) => prepared(compiled, migrated, host)),
  );
}

function prepared(compiled: CompiledTool, call: RequestedCall, host: Host): Eventually<PreparedCall> {
  const checked = check(compiled, call);
  return isPromise(checked)
    ? checked.then((each) => afterCheck(compiled, each, host))
    : afterCheck(compiled, checked, host);
}

function afterCheck(compiled: CompiledTool, checked: Checked, host: Host): Eventually<PreparedCall> {
  const { input, refusal } = checked;
  if (refusal === undefined) return withCheck(compiled, checked, host);
  const { tool } = compiled;
  const none = refused({ name: tool.name, input }, refusal);
  return { ...none, ...look(tool, input), ...(tool.settle && settling(compiled, host)) };
}

function withCheck(compiled: CompiledTool, checked: Checked, host: Host): Eventually<PreparedCall> {
  const check = loadOutputCheck(compiled.tool);
  return isPromise(check) ? check.then(() => withCheck(compiled, checked, host)) : valid(compiled, checked, host);
}

/** A call that can run. */
function valid(compiled: CompiledTool, { input, repairs, value }: Checked, host: Host): PreparedCall {
  const { tool, ofEachCall } = compiled;
  const toolFingerprint = fingerprintOf(compiled);
  const query = tool.role?.query === undefined ? undefined : queryOf(input, tool.role.query);
  const executionIn = (context: CallContext): Execution =>
    executionOf(compiled, { value, toolFingerprint, context }, host);
  const ready: PreparedCall = {
    ...ofEachCall,
    name: tool.name,
    input,
    repairs,
    title: titleOf(tool, input),
    effects: effectsOf(compiled, value),
    toolFingerprint,
    execute: (context) => (tool.settle === undefined ? executeTool : executeWhole)(executionIn(context)),
    settle: async (output, context) => ({ ...(await settled(tool, output, context)), toolFingerprint }),
  };
  if (query === undefined && tool.preview === undefined && tool.reconcile === undefined && tool.settle === undefined)
    return ready;
  return {
    ...ready,
    ...(query !== undefined && { query }),
    ...(tool.preview && {
      preview: (context) => previewOf(compiled, value, { ...context, host: hostFor(tool, host) }),
    }),
    ...(tool.reconcile && {
      reconcile: async (context, seen) => {
        const timeoutMs = tool.timeoutMs || patienceMs; // a call may take for ever; to look it up may not
        const asked: Tool = { ...tool, timeoutMs, execute: async (...given) => seen(await tool.reconcile?.(...given)) };
        return executeTool({ ...executionIn(context), compiled: { ...compiled, tool: asked } });
      },
    }),
    ...(tool.settle && settling(compiled, host)),
  };
}

/** Runs a call whose tool may leave it in the background. If no model can get the result later, waits for it. */
function executeWhole(execution: Execution): Eventually<ToolResult> {
  return whenReady(executeTool(execution), async (result) => {
    const { detached } = result;
    if (detached === undefined || execution.context.detaches === true) return result;
    return settleCall(execution, { handle: detached });
  });
}

/** Waits for the results of background calls, whose input no longer matters. */
function settling(compiled: CompiledTool, host: Host): Pick<PreparedCall, 'settleDetached' | 'settleTimeoutMs'> {
  const { settleTimeoutMs } = compiled.tool;
  return {
    ...(settleTimeoutMs !== undefined && { settleTimeoutMs }),
    async settleDetached(handle, context, leftMs) {
      const known = { value: {}, toolFingerprint: fingerprintOf(compiled) };
      const execution = executionOf(compiled, { ...known, context }, host);
      return settleCall(execution, { handle, leftMs });
    },
  };
}

function executionOf(
  compiled: CompiledTool,
  known: Pick<Execution, 'value' | 'toolFingerprint' | 'context'>,
  host: Host,
): Execution {
  const secrets = host['secrets'] as Secrets | undefined;
  return { compiled, ...known, host: hostFor(compiled.tool, host, known.context.observer), secrets };
}

/** Milliseconds that a tool without a time limit has to report the outcome of a call. */
const patienceMs = 60_000;

/** A client's output that cannot be made a result of is answered as one that does not fit: else its call would stay open for good. */
async function settled(
  tool: Tool,
  output: Json | ExplicitResult,
  context: Pick<CallContext, 'outputLimit'>,
): Promise<ToolResult> {
  try {
    return await answer(tool, output, context);
  } catch (error) {
    return failure('invalid_output', `The output of tool "${tool.name}" could not be read: ${messageForModel(error)}`);
  }
}

async function previewOf(
  { tool, options }: CompiledTool,
  value: unknown,
  context: PreviewContext,
): Promise<Json | undefined> {
  try {
    const preview = await tool.preview?.(value, options, context);
    return preview === undefined ? undefined : toJson(preview);
  } catch {
    return undefined; // the user is asked all the same
  }
}

function queryOf(input: JsonObject, field: string): PreparedCall['query'] {
  const { [field]: text, ...rest } = input;
  return typeof text === 'string' ? { text, among: canonicalJson(rest) } : undefined;
}

function look(tool: Tool, input: JsonObject): Pick<PreparedCall, 'title' | 'icon'> {
  return { title: titleOf(tool, input), ...(tool.ui?.icon !== undefined && { icon: tool.ui.icon }) };
}

/** A call that cannot run. */
export function refused({ name, input }: RequestedCall, refusal: ToolResult): PreparedCall {
  return {
    name,
    input,
    repairs: [],
    title: cut(name),
    effects: 'read',
    openWorld: false,
    idempotent: true,
    clientAnswers: false,
    refusal,
    execute: () => refusal,
    settle: () => Promise.resolve(refusal),
  };
}

function effectsOf({ tool, options }: CompiledTool, value: unknown): Effect {
  try {
    const effect = typeof tool.effects === 'string' ? tool.effects : tool.effects(value, options);
    return ['read', 'write'].includes(effect) ? effect : 'destructive';
  } catch {
    return 'destructive';
  }
}
