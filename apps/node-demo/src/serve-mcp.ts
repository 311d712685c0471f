import { resolve } from 'node:path';
import { createRegistry, memoryGrants, permissions, resolveToolset, settingsGrants } from '@utensil/core';
import { serveMcpStdio } from '@utensil/interop-mcp/node';
import manifest from '../package.json' with { type: 'json' };
import type { Arguments } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { openSeals } from './seal-key.ts';
import { shellFor } from './shell-for.ts';
import { demoTools, openToolHost } from './tools.ts';
import { openWorkspace } from './workspace.ts';

/** Serves the tools of a folder, as they are set there, to the MCP client that has started the program. Gives the exit code. */
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
  const { closed } = await serveMcpStdio(() => resolveToolset(registry, settings.current(), host), {
    name: 'utensil-demo',
    title: 'Utensil',
    version: manifest.version,
    policy: permissions(yes ? 'bypass' : 'write'),
    grants: 'seals' in sealing ? settingsGrants(settings, { seals: sealing.seals, scope: 'folder' }) : memoryGrants(),
    subscribe: (listener) => settings.subscribe(listener),
    onError: ({ message }) => void stderr.write(`${message}\n`),
  });
  await closed;
  await tools.close();
  await settings.close();
  return exitCodes.answered;
}
