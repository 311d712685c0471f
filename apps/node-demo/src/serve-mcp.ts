import { resolve } from 'node:path';
import { createRegistry, memoryGrants, permissions, resolveToolset, settingsGrants } from '@utensil/core';
import type { Toolset } from '@utensil/core';
import { serveMcpHttp, serveMcpStdio } from '@utensil/interop-mcp/node';
import type { McpStdioOptions } from '@utensil/interop-mcp/node';
import manifest from '../package.json' with { type: 'json' };
import type { Arguments } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { openSeals } from './seal-key.ts';
import { shellFor } from './shell-for.ts';
import { demoTools, openToolHost } from './tools.ts';
import { openWorkspace } from './workspace.ts';

/**
 * Serves the tools of a folder, as they are set there, to the MCP client that has started the program, or on a port of this machine.
 * Gives the exit code.
 */
export async function serveMcp(given: Arguments, process: NodeJS.Process): Promise<number> {
  const { env, stderr } = process;
  const { folder, yes } = given;
  const workspace = await openWorkspace(
    folder === undefined ? undefined : resolve(env['INIT_CWD'] ?? process.cwd(), folder),
  );
  const sealing = await openSeals(workspace.folder, env);
  const shell = await shellFor(given, workspace);
  const registry = createRegistry(demoTools({ shell }));
  const tools = openToolHost({ folder: workspace.folder, shell });
  const host = tools.withFiles(workspace.files());
  const { settings } = workspace;
  const toolset = (): Toolset => resolveToolset(registry, settings.current(), host);
  const options: McpStdioOptions = {
    name: 'utensil-demo',
    title: 'Utensil',
    version: manifest.version,
    policy: permissions(yes ? 'bypass' : 'write'),
    grants: 'seals' in sealing ? settingsGrants(settings, { seals: sealing.seals, scope: 'folder' }) : memoryGrants(),
    subscribe: (listener) => settings.subscribe(listener),
    onError: ({ message }) => void stderr.write(`${message}\n`),
  };
  if (given.serveMcp === 'http') await serveOnPort(toolset, { options, port: given.port, process });
  else await (await serveMcpStdio(toolset, options)).closed;
  await tools.close();
  await settings.close();
  return exitCodes.answered;
}

interface OnPort {
  readonly options: McpStdioOptions;
  readonly port: number | undefined;
  readonly process: NodeJS.Process;
}

/** Serves until the program is asked to end. */
async function serveOnPort(toolset: () => Toolset, { options, port, process }: OnPort): Promise<void> {
  const server = await serveMcpHttp(toolset, { ...options, ...(port !== undefined && { port }) });
  process.stderr.write(`MCP server: ${server.url}\nOnly programs of this machine reach it. Ctrl-C ends it.\n`);
  await new Promise<void>((end) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end());
  });
  await server.close();
}
