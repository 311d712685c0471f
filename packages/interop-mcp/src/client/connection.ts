import { isUtensilError, messageOf, UtensilError } from '@utensil/core';
import type { Client } from '@modelcontextprotocol/client';
import { httpTransport } from './http-transport.ts';
import { createListeners } from './listeners.ts';
import type { OngoingCalls } from './ongoing-calls.ts';
import type { McpSourceOptions, McpStatus } from './options.ts';
import { answerDirectly, capabilitiesOf } from './requests.ts';
import { loadSdk } from './sdk.ts';
import type { Sdk } from './sdk.ts';
import type { McpEra, McpServer, McpTransport } from './server.ts';
import { tolerate } from './admit-answers.ts';

/** A connection that stands. */
export interface Live {
  readonly client: Client;
  readonly transport: McpTransport;
  readonly sdk: Sdk;
}

/** One server, to which there is a connection when there has to be. */
export interface Connection {
  readonly status: McpStatus;
  onStatus(listener: () => void): () => void;
  /** The open connection, or a new one. Concurrent callers share it. */
  live(): Promise<Live>;
  /** Gives one up that cannot be used any more. Whether it was the one that stands. */
  drop(live: Live, problem: string): boolean;
  close(): Promise<void>;
}

/** Milliseconds before the first new attempt; each later one waits twice as long. */
const firstPause = 1_000;
const longestPause = 60_000;

/** Attempts in a row that are made without being asked. */
const mostAttempts = 8;

/** Callbacks and settings of a connection. */
export interface ConnectionListeners {
  /** The tools may be others: the server says so, or it is another connection. */
  changed(): void;
  /** Calls that are under way. */
  readonly calls: OngoingCalls;
}

export function createConnection(
  server: McpServer,
  options: McpSourceOptions,
  { changed, calls }: ConnectionListeners,
): Connection {
  const { connectTimeMs = 30_000, clientInfo = { name: 'utensil', version: '0' } } = options;
  const listeners = createListeners();
  let status: McpStatus = { state: 'idle' };
  let pending: Promise<Live> | undefined;
  let standing: Live | undefined;
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function become(next: McpStatus): void {
    status = next;
    listeners.notify();
  }

  function degrade(problem: string, needsSignIn = false): void {
    if (status.state === 'closed') return;
    const { server: about, instructions } = status;
    become({
      state: 'degraded',
      problem,
      ...(needsSignIn && { needsSignIn }),
      ...(about && { server: about }),
      ...(instructions && { instructions }),
    });
    options.onProblem?.(problem);
    clearTimeout(timer);
    if (attempts >= mostAttempts) return; // from here on only when it is asked for
    timer = setTimeout(retry, Math.min(longestPause, firstPause * 2 ** attempts++));
    (timer as { unref?: () => void }).unref?.(); // nobody waits for it
  }

  function retry(): void {
    live().then(changed, () => undefined); // told by its status
  }

  function live(): Promise<Live> {
    if (status.state === 'closed') return Promise.reject(new Error(`${named()} was closed.`));
    pending ??= connect();
    return pending;
  }

  async function connect(): Promise<Live> {
    clearTimeout(timer);
    become({ ...status, state: 'connecting' });
    let transport: McpTransport | undefined;
    try {
      const sdk = await loadSdk();
      transport = 'url' in server ? httpTransport(sdk, server) : await server.transport();
      const made = await open(sdk, transport);
      if (isClosed()) throw new Error('it was closed.');
      standing = made;
      attempts = 0;
      become(ready(made));
      return made;
    } catch (error) {
      pending = undefined;
      await transport?.close().catch(() => undefined);
      const said = transport?.said?.() ?? '';
      const isNeeded = needsSignIn(error);
      if (isNeeded) attempts = mostAttempts; // a person comes first, and then the source is asked
      degrade(`${named()} cannot be reached: ${reasonOf(error)}${said === '' ? '' : `\nIt said: ${said}`}`, isNeeded);
      throw new UtensilError(
        isNeeded ? 'sign_in_needed' : 'tool_failed',
        `${named()} cannot be reached: ${reasonOf(error)}`,
        { cause: error },
      );
    }
  }

  async function open(sdk: Sdk, transport: McpTransport): Promise<Live> {
    tolerate(transport, sdk, (problem) => options.onProblem?.(`${named()}: ${problem}`));
    const client = new sdk.Client(clientInfo, {
      capabilities: capabilitiesOf(options),
      inputRequired: { autoFulfill: false },
      versionNegotiation: { mode: modeOf(server.era ?? ('url' in server ? 'auto' : 'legacy')) },
      jsonSchemaValidator: {
        getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
      }, // core validates
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: changed } },
    });
    const made: Live = { client, transport, sdk };
    Object.assign(client, { onclose: () => drop(made, `The connection to ${named()} ended.`) });
    answerDirectly(client, options, { server: named(), calls });
    await within(connectTimeMs, client.connect(transport as never, { timeout: connectTimeMs }));
    // Over HTTP nothing closes where a server is gone, but for the stream of its changes.
    void client.autoOpenedSubscription?.closed.then((how) => {
      if (how !== 'local') drop(made, `${named()} ended the stream of its changes.`);
    });
    return made;
  }

  function ready({ client }: Live): McpStatus {
    const about = client.getServerVersion();
    const instructions = client.getInstructions();
    const protocolVersion = client.getNegotiatedProtocolVersion();
    return {
      state: 'ready',
      ...(about && {
        server: {
          name: brief(about.name),
          version: brief(about.version),
          ...(about.title !== undefined && { title: brief(about.title) }),
        },
      }),
      ...(instructions !== undefined && { instructions: instructions.slice(0, 16_000) }),
      ...(protocolVersion !== undefined && { protocolVersion }),
    };
  }

  function drop(made: Live, problem: string): boolean {
    if (standing !== made) return false;
    standing = pending = undefined;
    const said = made.transport.said?.() ?? '';
    degrade(said === '' ? problem : `${problem}\nIt said: ${said}`);
    made.client.close().catch(() => undefined);
    return true;
  }

  function named(): string {
    const name = options.name ?? status.server?.name;
    return name === undefined ? 'The MCP server' : `The MCP server "${brief(name)}"`;
  }

  const isClosed = (): boolean => status.state === 'closed';

  return {
    get status() {
      return status;
    },
    onStatus: listeners.subscribe,
    live,
    drop,
    async close() {
      if (isClosed()) return;
      clearTimeout(timer);
      become({ ...status, state: 'closed' });
      const made = standing ?? (await pending?.catch(() => undefined));
      standing = undefined;
      if (made === undefined) return;
      await terminate(made);
      await made.client.close();
    },
  };
}

/** A server of 2025 over HTTP keeps something for each session. */
async function terminate({ transport }: Live): Promise<void> {
  const session = transport as { terminateSession?: () => Promise<void>; readonly sessionId?: string };
  if (session.sessionId === undefined) return;
  await within(2_000, session.terminateSession?.()).catch(() => undefined); // it need not offer that
}

/** True if a person has to sign in. While it looks for the era, the SDK wraps errors of requests in its own. */
function needsSignIn(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++)
    if (isUtensilError(each, 'sign_in_needed')) return true;
  return false;
}

/** What a server says of itself. */
function brief(text: string): string {
  return text.slice(0, 100);
}

/** Why a server cannot be reached: it may have written that, at any length. */
function reasonOf(error: unknown): string {
  return messageOf(error).slice(0, 2_000);
}

function modeOf(era: McpEra): 'legacy' | 'auto' | { pin: string } {
  return era === 'modern' ? { pin: '2026-07-28' } : era;
}

async function within<Value>(ms: number, work: Promise<Value> | undefined): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`there was no answer in ${ms / 1000} seconds.`)), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
