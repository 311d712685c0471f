import type { JsonObject, Toolset } from '@utensil/core';
import { isObject, UtensilError } from '@utensil/core';
import type {
  CallToolResult,
  InputRequiredResult,
  McpRequestContext,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import { allowAsking } from './asking.ts';
import { refusal, toCallResult } from './content.ts';
import { createGuards } from './guards.ts';
import type { McpCaller, McpServerOptions, ServedTools } from './options.ts';
import { progressTo } from './progress.ts';
import { createQuestions } from './questions.ts';
import type { Sdk } from './sdk.ts';
import { servedTools } from './served-tools.ts';
import type { ServedTool } from './served-tools.ts';

/** Key under which `callerOf` finds the caller in the SDK's request data. */
const callerKey = 'utensil:caller';

/** Caller data passed through the SDK. */
export function authOf(caller: McpCaller): NonNullable<McpRequestContext['authInfo']> {
  const { principal, scopes = [] } = caller;
  return { token: '', clientId: principal?.id ?? '', scopes: [...scopes], extra: { [callerKey]: caller } };
}

function callerOf(auth: McpRequestContext['authInfo']): McpCaller {
  return (auth?.extra?.[callerKey] as McpCaller | undefined) ?? {};
}

/** SDK servers behind one of our servers: one per HTTP request, or per connection. */
export interface Instances {
  /** `pushes`: the client can be notified of changes at any time. */
  create(context: McpRequestContext, transport: { readonly pushes: boolean }): McpServer;
  /** Updates the tools of long-lived connections. */
  refresh(): void;
}

/** Creates SDK servers. */
export function createInstances(sdk: Sdk, served: ServedTools, options: McpServerOptions): Instances {
  const { name, version, title, instructions, subscribe, answerTimeMs, onError } = options;
  const guards = createGuards(served, options);
  const principalOf = (context: ServerContext): string =>
    JSON.stringify(callerOf(context.http?.authInfo).principal?.id ?? null);
  const questions = createQuestions(sdk, principalOf, options);
  const lasting = new Set<() => void>();
  const run = createCalls({ questions, options });

  function create(context: McpRequestContext, { pushes }: { readonly pushes: boolean }): McpServer {
    const caller = callerOf(context.authInfo);
    const server = new sdk.McpServer(
      { name, version, ...(title !== undefined && { title }) },
      {
        ...(instructions !== undefined && { instructions }),
        capabilities: { tools: { listChanged: subscribe !== undefined && pushes } },
        debouncedNotificationMethods: ['notifications/tools/list_changed'],
        requestState: { verify: questions.verify },
        ...(answerTimeMs !== undefined && { inputRequired: { roundTimeoutMs: answerTimeMs } }),
      },
    );
    if (onError !== undefined) Object.assign(server.server, { onerror: onError });
    const left = new AbortController();
    let tools: readonly ServedTool[] = [];
    let removals: readonly (() => void)[] = [];
    function fill(): void {
      const present = servedTools(guards(caller), onError);
      if (present === tools) return;
      tools = present;
      for (const remove of removals) remove();
      removals = neededOf(present, context).map((tool) => {
        const registered = server.registerTool(tool.name, tool.listed, (input, called) =>
          run(guards(caller), { tool, input, context: called, server, caller, gone: left.signal }),
        );
        return () => registered.remove();
      });
    }
    fill();
    if (context.requestInfo === undefined) lasting.add(fill);
    const onclose = (): void => {
      lasting.delete(fill);
      left.abort(new Error('The client has left.'));
    };
    Object.assign(server.server, { onclose });
    return server;
  }

  return {
    create,
    refresh() {
      for (const fill of lasting) fill();
    },
  };
}

/** A request for one call needs one tool: the SDK compares the header with its name to the body. */
function neededOf(tools: readonly ServedTool[], { era, requestInfo }: McpRequestContext): readonly ServedTool[] {
  if (era !== 'modern' || requestInfo?.headers.get('mcp-method') !== 'tools/call') return tools;
  const name = requestInfo.headers.get('mcp-name');
  return tools.filter((each) => each.name === name);
}

interface Called {
  readonly tool: ServedTool;
  readonly input: unknown;
  readonly context: ServerContext;
  readonly server: McpServer;
  readonly caller: McpCaller;
  /** Fires when the connection ends: of two calls with the same id, the SDK forgets the first. */
  readonly gone: AbortSignal;
}

interface CallSetup {
  readonly questions: ReturnType<typeof createQuestions>;
  readonly options: McpServerOptions;
}

/** Creates the executor of client calls. It never throws, because the SDK would send the error to the client. */
function createCalls({ questions, options }: CallSetup) {
  const { projectId = 'default', onError } = options;

  async function called(toolset: Toolset, call: Called): Promise<CallToolResult | InputRequiredResult> {
    const { tool, context, server, caller, gone } = call;
    const begun = await questions.begin(context);
    if ('content' in begun) return begun;
    const { callId, asking } = begun;
    const signal = AbortSignal.any([context.mcpReq.signal, gone]);
    allowAsking(signal, asking);
    const progress = progressTo(context);
    const input = isObject(call.input) ? (call.input as JsonObject) : {};
    const result = await toolset.execute(
      { name: tool.name, input },
      {
        projectId,
        runId: `mcp ${caller.principal?.id ?? ''}`, // the same for each attempt at a call, in any process
        callId,
        signal,
        ...(caller.principal && { principal: caller.principal }),
        ...(progress && { progress }),
      },
    );
    if (result.code === 'approval_pending' && asking.question !== undefined)
      return questions.ask(asking.question, callId, { context, server });
    return toCallResult(result, tool);
  }

  return async (toolset: Toolset, call: Called): Promise<CallToolResult | InputRequiredResult> => {
    try {
      return await called(toolset, call);
    } catch (cause) {
      const id = crypto.randomUUID();
      onError?.(
        new UtensilError('tool_failed', `A call of "${call.tool.name}" failed inside the server (${id}).`, { cause }),
      );
      return refusal(`Tool execution failed: an internal error of the server, ${id}.`);
    }
  };
}
