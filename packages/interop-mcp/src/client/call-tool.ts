import { isUtensilError, messageOf } from '@utensil/core';
import type { ExplicitResult, Json, JsonObject, ToolContext } from '@utensil/core';
import type { Progress, Tool as ListedTool } from '@modelcontextprotocol/client';
import type { Connection, Live } from './connection.ts';
import type { McpSourceOptions } from './options.ts';
import { toOutput } from './to-output.ts';

/** The server whose tools are called. */
export interface Called {
  readonly connection: Connection;
  readonly options: McpSourceOptions;
  /** Settles when the list is as the server has told so far. */
  listed(): Promise<void>;
}

/** Calls a tool of a server once: again only where the server has refused to look at it. */
export async function callTool(
  tool: ListedTool,
  { input, context }: { readonly input: JsonObject; readonly context: Pick<ToolContext, 'signal' | 'progress'> },
  { connection, options, listed }: Called,
): Promise<Json | ExplicitResult> {
  const live = await connection.live();
  try {
    return await attempt(live);
  } catch (error) {
    if (!isSessionGone(error, live)) throw error;
    connection.drop(live, `${label()} has forgotten the session.`);
    return attempt(await connection.live());
  }

  function label(): string {
    const name = options.name ?? connection.status.server?.name;
    return name === undefined ? 'The MCP server' : `The MCP server "${name.slice(0, 100)}"`;
  }

  async function attempt(made: Live): Promise<Json | ExplicitResult> {
    const { callTimeMs = 60_000, maxCallTimeMs = 600_000 } = options;
    try {
      const answer = await made.client.callTool(
        { name: tool.name, arguments: input },
        {
          signal: context.signal,
          timeout: callTimeMs,
          maxTotalTimeout: maxCallTimeMs,
          resetTimeoutOnProgress: true,
          onprogress: (progress) => context.progress(updateOf(progress)),
          toolDefinition: { name: tool.name, inputSchema: tool.inputSchema }, // core validates its output
        },
      );
      await listed();
      return toOutput(answer, { hasOutput: tool.outputSchema !== undefined });
    } catch (error) {
      throw explained(error, made);
    }
  }

  /** What is known of a call that did not come to its end. */
  function explained(error: unknown, made: Live): unknown {
    if (isSessionGone(error, made) || isUtensilError(error, 'sign_in_needed', 'sign_in_failed')) return error;
    const { SdkError, SdkErrorCode, ProtocolError } = made.sdk;
    if (ProtocolError.isInstance(error))
      return new Error(`${label()} refused the call: ${error.message.slice(0, 2_000)}`);
    if (!SdkError.isInstance(error)) {
      connection.drop(made, `${label()} cannot be reached: ${causeOf(error)}`);
      return new Error(`${label()} cannot be reached: ${causeOf(error)}. Whether the call took effect is not known.`);
    }
    if (error.code === SdkErrorCode.RequestTimeout)
      return new Error(`${label()} did not end the call in its time. Whether it took effect is not known.`);
    if (error.code === SdkErrorCode.ConnectionClosed)
      return new Error(
        `The connection to ${label()} ended in the middle of the call. Whether it took effect is not known.`,
      );
    return new Error(`${label()} answered in a way that cannot be read: ${error.message.slice(0, 500)}`);
  }
}

function causeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
}

/** The server refused a session that it does not know, before it looked at the call. */
function isSessionGone(error: unknown, { sdk, transport }: Live): boolean {
  const { sessionId } = transport as { readonly sessionId?: string };
  return (
    sessionId !== undefined && sdk.SdkHttpError.isInstance(error) && (error.status === 404 || error.status === 400)
  );
}

function updateOf({ progress, total, message }: Progress): JsonObject {
  return {
    progress,
    ...(total !== undefined && { total }),
    ...(message !== undefined && { message: message.slice(0, 1_000) }),
  };
}
