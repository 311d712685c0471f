import { isUtensilError, messageOf, UtensilError } from '@utensil/core';
import { createListeners } from '@utensil/core/storage';
import type * as ConnectionCode from './connection-code.ts';
import type { Connection, Live } from './live.ts';
import type { OngoingCalls } from './ongoing-calls.ts';
import type { McpSourceOptions, McpStatus } from './options.ts';
import type { McpServer, McpTransport } from './server.ts';

/** Milliseconds before the first reconnect; doubled for each further one. */
const firstPause = 1_000;
const longestPause = 60_000;

/** Maximum number of consecutive automatic reconnects. */
const mostAttempts = 8;

/** Callbacks and settings of a connection. */
export interface ConnectionListeners {
  /** Called if the tools may have changed: the server says so, or the connection is new. */
  changed(): void;
  /** Calls under way. */
  readonly calls: OngoingCalls;
  /** Called with a problem, for the app. */
  tell(problem: string): void;
}

export function createConnection(
  server: McpServer,
  options: McpSourceOptions,
  { changed, calls, tell }: ConnectionListeners,
): Connection {
  const { connectTimeMs = 30_000 } = options;
  const listeners = createListeners();
  let status: McpStatus = { state: 'idle' };
  let pending: Promise<Live> | undefined;
  let standing: Live | undefined;
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let giveUp!: (why: Error) => void;
  /** Rejects when the connection is closed: a server that does not answer holds nobody up. */
  const closed = new Promise<never>((_, reject) => (giveUp = reject));
  closed.catch(() => undefined); // nothing may be waiting for it

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
    tell(problem);
    clearTimeout(timer);
    if (attempts >= mostAttempts) return; // from here on only on demand
    timer = setTimeout(retry, Math.min(longestPause, firstPause * 2 ** attempts++));
    (timer as { unref?: () => void }).unref?.(); // nobody waits for it
  }

  function retry(): void {
    live().then(changed, () => undefined); // reported by its status
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
      const code = await import('./connection-code.ts');
      transport = 'url' in server ? code.httpTransport(server) : await server.transport();
      const made = await Promise.race([open(code, transport), closed]);
      if (status.state === 'closed') await closed; // at the same moment
      standing = made;
      attempts = 0;
      become(ready(made));
      return made;
    } catch (error) {
      pending = undefined;
      await transport?.close().catch(() => undefined);
      const said = transport?.said?.() ?? '';
      const isNeeded = needsSignIn(error);
      if (isNeeded) attempts = mostAttempts; // the person first, then the source
      degrade(`${named()} cannot be reached: ${reasonOf(error)}${said === '' ? '' : `\nIt said: ${said}`}`, isNeeded);
      throw new UtensilError(
        isNeeded ? 'sign_in_needed' : 'tool_failed',
        `${named()} cannot be reached: ${reasonOf(error)}`,
        { cause: error },
      );
    }
  }

  async function open({ createClient }: typeof ConnectionCode, transport: McpTransport): Promise<Live> {
    const era = server.era ?? ('url' in server ? 'auto' : 'legacy');
    const client = createClient(transport, { options, era, named, calls, changed, tell });
    const made: Live = { client, transport };
    Object.assign(client, { onclose: () => drop(made, `The connection to ${named()} ended.`) });
    await within(connectTimeMs, client.connect(transport as never, { timeout: connectTimeMs }));
    // Over HTTP, only the stream of changes reveals that a server is gone.
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

  return {
    get status() {
      return status;
    },
    onStatus: listeners.subscribe,
    live,
    drop,
    async close() {
      if (status.state === 'closed') return;
      clearTimeout(timer);
      become({ ...status, state: 'closed' });
      giveUp(new Error('it was closed.'));
      const made = standing ?? (await pending?.catch(() => undefined));
      standing = undefined;
      if (made === undefined) return;
      await terminate(made);
      await made.client.close();
    },
  };
}

/** An HTTP server of 2025 keeps state per session. */
async function terminate({ transport }: Live): Promise<void> {
  const session = transport as { terminateSession?: () => Promise<void>; readonly sessionId?: string };
  if (session.sessionId === undefined) return;
  await within(2_000, session.terminateSession?.()).catch(() => undefined); // optional for servers
}

/** True if a person must sign in. While it negotiates the era, the SDK wraps errors of requests. */
function needsSignIn(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++)
    if (isUtensilError(each, 'sign_in_needed')) return true;
  return false;
}

/** Self-description of a server. */
function brief(text: string): string {
  return text.slice(0, 100);
}

/** Reason for a failed connection. The server may have written this text, at any length. */
function reasonOf(error: unknown): string {
  return messageOf(error).slice(0, 2_000);
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
