import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import { isUtensilError, messageOf, toJson } from '@utensil/core';
import type { JsonObject, ToolContext } from '@utensil/core';
import type { Progress, Tool as ListedTool } from '@modelcontextprotocol/client';
import type { CallSeals } from './call-seals.ts';
import { startDeadline } from './deadline.ts';
import type { Connection, Live } from './live.ts';
import type { OngoingCalls } from './ongoing-calls.ts';
import type { McpSourceOptions } from './options.ts';
import { roundOf } from './rounds.ts';
import type { Brought, Round } from './rounds.ts';
import type { SamplingCall } from './sampling.ts';

/** The server of the tools. */
export interface Called {
  readonly connection: Connection;
  readonly options: McpSourceOptions;
  /** Calls under way. */
  readonly calls: OngoingCalls;
  /** Called with a problem, for the app. */
  tell(problem: string): void;
  /** Identity of the server. */
  readonly identity: string | undefined;
  /** True if the server still lists the tool as before over this connection. If it may have changed, lists the tools again, and notifies the registry if it has. */
  confirmListed(live: Live, tool: ListedTool): Promise<boolean>;
  /** Resolves once all announced changes of the list are loaded. */
  listed(): Promise<void>;
  readonly seals: CallSeals;
}

/** A call with its context. */
export interface Call {
  readonly name: string;
  readonly input: JsonObject;
  readonly context: Pick<ToolContext, 'progress'> & SamplingCall;
  readonly brought?: Brought;
}

/** Display name of the server. */
export function labelOf({ connection, options }: Called): string {
  const name = options.name ?? connection.status.server?.name;
  return name === undefined ? 'The MCP server' : `The MCP server "${name.slice(0, 100)}"`;
}

/** Calls a tool once. Repeated only if the server refused to look at the request. */
export async function callOnce(tool: ListedTool, call: Call, called: Called): Promise<Round> {
  const { connection } = called;
  const live = await connection.live();
  try {
    return await attempt(live, tool, { ...call, called });
  } catch (error) {
    if (!isSessionGone(error, live)) throw error;
    connection.drop(live, `${labelOf(called)} has forgotten the session.`);
    return attempt(await connection.live(), tool, { ...call, called });
  }
}

/** The server has changed the tool since the call was allowed, so nobody has approved the current one. */
function changedSince(called: Called, { name }: Pick<ListedTool, 'name'>): Error {
  return new Error(
    `${labelOf(called)} has changed its tool "${name.slice(0, 100)}" since this call was made, so the call was not made. Read the definition of the tool, and call it again if it still does what you need.`,
  );
}

async function attempt(
  live: Live,
  tool: ListedTool,
  { input, context, brought, called }: Call & { readonly called: Called },
): Promise<Round> {
  const { name, inputSchema } = tool;
  const { callTimeMs = 60_000, maxCallTimeMs = 600_000 } = called.options;
  if (!(await called.confirmListed(live, tool))) throw changedSince(called, tool);
  const end = called.calls.begin(context);
  const deadline = startDeadline(context.signal, maxCallTimeMs);
  try {
    const answer = await live.client.callTool(
      { name, arguments: input, ...(brought as object) },
      {
        signal: deadline.signal,
        timeout: callTimeMs,
        resetTimeoutOnProgress: true,
        onprogress: (progress) => context.progress(updateOf(progress)),
        toolDefinition: { name, inputSchema }, // core validates its output
        allowInputRequired: true,
      },
    );
    await called.listed();
    return roundOf(answer);
  } catch (error) {
    if (deadline.isOver()) throw overdue(called);
    const urls = urlsIn(error);
    if (urls !== undefined) return { asked: { requests: urls } };
    throw isSessionGone(error, live) ? error : explained(error, live, called);
  } finally {
    deadline.clear();
    end();
  }
}

function overdue(called: Called): Error {
  return new Error(`${labelOf(called)} did not end the call in its time. Whether it took effect is not known.`);
}

/** Pages that a person must visit first, as reported by servers of 2025. */
function urlsIn(error: unknown): JsonObject | undefined {
  if (!UrlElicitationRequiredError.isInstance(error)) return undefined;
  const all = error.elicitations.map((params, index) => [
    `${index}`,
    { method: 'elicitation/create', params: toJson(params) },
  ]);
  return Object.fromEntries(all) as JsonObject;
}

/** Error of a call without a result. */
function explained(error: unknown, live: Live, called: Called): unknown {
  const label = labelOf(called);
  if (isUtensilError(error, 'sign_in_needed', 'sign_in_failed')) return error;
  if (ProtocolError.isInstance(error)) return new Error(`${label} refused the call: ${error.message.slice(0, 2_000)}`);
  if (!SdkError.isInstance(error)) {
    called.connection.drop(live, `${label} cannot be reached: ${causeOf(error)}`);
    return new Error(`${label} cannot be reached: ${causeOf(error)}. Whether the call took effect is not known.`);
  }
  if (error.code === SdkErrorCode.RequestTimeout) return overdue(called);
  if (error.code === SdkErrorCode.ConnectionClosed)
    return new Error(
      `The connection to ${label} ended in the middle of the call. Whether it took effect is not known.`,
    );
  return new Error(`${label} answered in a way that cannot be read: ${error.message.slice(0, 500)}`);
}

function causeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
}

/** The server rejected an unknown session before it looked at the call. */
function isSessionGone(error: unknown, { transport }: Live): boolean {
  const { sessionId } = transport as { readonly sessionId?: string };
  return sessionId !== undefined && SdkHttpError.isInstance(error) && (error.status === 404 || error.status === 400);
}

function updateOf({ progress, total, message }: Progress): JsonObject {
  return {
    progress,
    ...(total !== undefined && { total }),
    ...(message !== undefined && { message: message.slice(0, 1_000) }),
  };
}
