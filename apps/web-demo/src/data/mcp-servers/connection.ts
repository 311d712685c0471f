import type { Registry, Tool } from '@utensil/core';
import { mcpSource } from '@utensil/interop-mcp/client';
import type { McpStatus } from '@utensil/interop-mcp/client';
import type { ServerSignIn } from '@utensil/interop-mcp/sign-in';
import { diagnose } from './diagnosis.ts';
import { listedAgain } from './listed-again.ts';
import type { AddedServer } from './server-list.ts';

/** A server as it is at the moment. */
export interface ShownServer extends AddedServer {
  readonly state: 'connecting' | 'connected' | 'needs-sign-in' | 'failed';
  readonly tools: readonly Tool[];
  /** The problem, with advice. */
  readonly problem?: string;
  /** Host of the issuer at which the user is signed in. */
  readonly signedInAt?: string;
}

export interface Connection {
  readonly account: ServerSignIn | undefined;
  shown(): ShownServer;
  close(): Promise<void>;
}

/** Dependencies of connections. */
export interface ConnectionSetup {
  readonly registry: Registry;
  readonly account: ServerSignIn | undefined;
  changed(): void;
}

/** Connects a server, and mounts its tools. */
export function connect(server: AddedServer, { registry, account, changed }: ConnectionSetup): Connection {
  let diagnosed: string | undefined;
  let listing: string | undefined;
  let signedInAt: string | undefined;
  const source = mcpSource(
    { url: server.url, ...(account && { signIn: account }) },
    { name: server.name, clientInfo: { name: 'utensil-web-demo', version: '1' } },
  );
  source.onStatus(() => {
    const { state, problem, needsSignIn } = source.status;
    if (state === 'ready') diagnosed = undefined;
    if (state === 'degraded' && needsSignIn !== true && diagnosed === undefined) void explain(problem ?? '');
    void readAccount();
    changed();
  });
  const mount = registry.mount(listedAgain(source, listed), {
    namespace: server.name,
    onProblem(problem) {
      if (source.status.state === 'ready') listing = problem.slice(0, 500);
      changed();
    },
  });

  function listed(): void {
    if (listing === undefined) return;
    listing = undefined;
    changed();
  }

  async function explain(problem: string): Promise<void> {
    diagnosed = ''; // it is being found out
    diagnosed = await diagnose(server.url, problem);
    changed();
  }

  async function readAccount(): Promise<void> {
    const signedIn = await account?.signedIn().catch(() => undefined); // the vault is locked
    const now = signedIn && new URL(signedIn.issuer).host;
    if (now === signedInAt) return;
    signedInAt = now;
    changed();
  }

  return {
    account,
    shown() {
      const state = stateOf(source.status);
      const problem = state === 'failed' ? diagnosed : state === 'connected' ? listing : undefined;
      return {
        ...server,
        state,
        tools: registry.list().filter((tool) => tool.foreign === true && tool.name.startsWith(`${server.name}_`)),
        ...(problem && { problem }),
        ...(signedInAt !== undefined && { signedInAt }),
      };
    },
    close: () => mount.unmount(),
  };
}

function stateOf({ state, needsSignIn }: McpStatus): ShownServer['state'] {
  if (state === 'ready') return 'connected';
  if (state !== 'degraded') return 'connecting';
  return needsSignIn === true ? 'needs-sign-in' : 'failed';
}
