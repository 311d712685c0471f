import { join } from 'node:path';
import process from 'node:process';
import { createRegistry, emptySettings, resolveToolset, runTool } from '@utensil/core';
import type { JsonObject, MountOptions, Registry, RunToolOptions, ToolResult, Toolset } from '@utensil/core';
import { mcpSource } from '../client/index.ts';
import type { McpCommand, McpServer, McpSource, McpSourceOptions } from '../client/index.ts';
import { stdioServer } from '../node/index.ts';

// Helpers for tests of clients.

/** An official server, as a child process. */
export function official(name: 'everything' | 'filesystem' | 'memory', more: Partial<McpCommand> = {}): McpServer {
  const { args = [], ...rest } = more;
  return stdioServer({ command: process.execPath, args: [programOf(name), ...args], ...rest });
}

function programOf(name: string): string {
  return join(import.meta.dirname, `../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
}

/** A server whose tools are in a registry. */
export interface Mounted {
  readonly source: McpSource;
  readonly registry: Registry;
  /** Problems of the source and of the mount, as reported to the app. */
  readonly problems: string[];
  toolset(): Toolset;
  names(): readonly string[];
  call(name: string, input?: JsonObject, options?: RunToolOptions): Promise<ToolResult>;
  unmount(): Promise<void>;
}

/** Mounts a server as `x`. */
export async function mounted(
  server: McpServer,
  options: McpSourceOptions = {},
  mount: Partial<MountOptions> = {},
): Promise<Mounted> {
  const problems: string[] = [];
  const onProblem = (problem: string): void => void problems.push(problem);
  const source = mcpSource(server, { onProblem, ...options });
  const registry = createRegistry();
  const { ready, unmount } = registry.mount(source, { namespace: 'x', onProblem, ...mount });
  await ready;
  const toolset = (): Toolset => resolveToolset(registry, emptySettings, {});
  return {
    source,
    registry,
    problems,
    toolset,
    names: () =>
      toolset()
        .definitions({ api: 'test' })
        .map(({ name }) => name),
    call(name, input = {}, more) {
      const tool = registry.get(name);
      if (tool === undefined) throw new Error(`There is no tool ${name}.`);
      return runTool(tool, input, more);
    },
    unmount,
  };
}

/** Waits until something holds, and says what did not. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let round = 0; round < 400; round++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`It never came true: ${what}`);
}
