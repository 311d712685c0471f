import { resolve } from 'node:path';
import type { Json, Registry } from '@utensil/core';
import { UtensilError } from '@utensil/core';
import { mcpSource, readMcpConfig } from '@utensil/interop-mcp/client';
import type { AskPerson, ConfiguredServer, McpServer, McpStatus } from '@utensil/interop-mcp/client';
import { stdioServer } from '@utensil/interop-mcp/node';
import manifest from '../../package.json' with { type: 'json' };
import { createLoopbackSignIn } from './loopback-sign-in.ts';
import type { BegunInBrowser, LoopbackSignIn } from './loopback-sign-in.ts';

/** A server that is connected, or is being connected. */
export interface ConnectedServer {
  readonly status: McpStatus;
  /** Begins the names of its tools. */
  readonly namespace: string;
  /** Number of its tools. */
  tools(): number;
  /** Reason for which its tools could not be listed, or not all of them. */
  readonly problem: string | undefined;
  /** Settles when its tools were listed, or could not be. Never rejects. */
  readonly ready: Promise<void>;
  /** Begins a sign-in in the browser. Undefined for programs, which sign in by themselves. */
  signIn(): Promise<BegunInBrowser | undefined>;
  close(): Promise<void>;
}

/** Connects servers, and mounts their tools. */
export interface Connector {
  /** Throws `invalid_input` if the entry cannot be used. */
  connect(name: string, entry: Json): ConnectedServer;
}

/** Dependencies of connections. */
export interface ConnectorSetup {
  readonly folder: string;
  readonly registry: Registry;
  readonly env: NodeJS.ProcessEnv;
  readonly ask?: AskPerson | undefined;
}

export async function createConnector(setup: ConnectorSetup): Promise<Connector> {
  const signIn = await createLoopbackSignIn();
  return { connect: (name, entry) => mounted(readEntry(name, entry, setup), { ...setup, signIn }) };
}

/** Reads an entry alone, so that each problem belongs to its own entry. */
function readEntry(name: string, entry: Json, { folder, env }: ConnectorSetup): ConfiguredServer {
  const { servers, problems } = readMcpConfig(
    { mcpServers: { [name]: entry } },
    {
      variables: env,
      stdio: (command) => stdioServer({ ...command, cwd: resolve(folder, command.cwd ?? '.') }),
    },
  );
  const [server] = servers;
  if (server !== undefined) return server;
  throw new UtensilError('invalid_input', problems[0] ?? `The MCP server "${name}" cannot be used.`);
}

function mounted(
  { name, namespace, server, include }: ConfiguredServer,
  { registry, ask, signIn }: ConnectorSetup & { readonly signIn: LoopbackSignIn },
): ConnectedServer {
  const account = 'url' in server && server.headers === undefined ? signIn.server(String(server.url)) : undefined;
  const reached: McpServer = 'url' in server && account !== undefined ? { ...server, signIn: account } : server;
  const source = mcpSource(reached, {
    name,
    clientInfo: { name: 'utensil-demo', version: manifest.version },
    ...(include && { include }),
    ...(ask && { ask }),
  });
  let problem: string | undefined;
  const mount = registry.mount(source, { namespace, onProblem: (told) => void (problem = told) });
  return {
    namespace,
    get status() {
      return source.status;
    },
    get problem() {
      return problem;
    },
    tools: () =>
      registry.list().filter((tool) => tool.foreign === true && tool.name.startsWith(`${namespace}_`)).length,
    ready: mount.ready,
    async signIn() {
      return account && signIn.begin(account);
    },
    close: () => mount.unmount(),
  };
}
