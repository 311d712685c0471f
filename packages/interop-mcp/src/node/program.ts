import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import {
  createFiles,
  createRegistry,
  emptySettings,
  messageOf,
  permissions,
  resolveToolset,
  UtensilError,
} from '@utensil/core';
import type { Host, PermissionTier, Tool } from '@utensil/core';
import type { McpServerOptions } from '../server/options.ts';
import { ownStreams } from './own-streams.ts';
import { serveMcpHttp } from './serve-http.ts';
import { serveMcpStdio } from './serve-stdio.ts';

const usage = `Serves tools of Utensil to an MCP client.

  utensil-mcp --tools <module> [options]

  --tools <module>   A module or package that exports tools. May be given several times.
  --dir <folder>     The files that tools work with. Needs @utensil/storage-filesystem.
  --ask <tier>       What the client asks a person about: bypass, outward, write or all. Default write.
  --http             Serves on a port of this machine, and not over stdio.
  --port <number>    Default: one that is free.
  --name <name>      Of the server. Default utensil.
`;

const tiers: readonly string[] = ['bypass', 'outward', 'write', 'all'] satisfies readonly PermissionTier[];

/**
 * The program `utensil-mcp`: serves, and returns its exit code once its client has left. All other output goes to
 * standard error.
 */
export async function mcpProgram(args: readonly string[]): Promise<number> {
  try {
    const options = readArguments(args);
    if (options === undefined) {
      process.stdout.write(usage);
      return 0;
    }
    await serve(options);
    return 0;
  } catch (error) {
    process.stderr.write(`utensil-mcp: ${messageOf(error)}\n`);
    return 1;
  }
}

type Arguments = NonNullable<ReturnType<typeof readArguments>>;

function readArguments(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tools: { type: 'string', multiple: true },
      dir: { type: 'string' },
      ask: { type: 'string', default: 'write' },
      http: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      name: { type: 'string', default: 'utensil' },
      help: { type: 'boolean', default: false },
    },
  });
  const { tools = [], ask, port, help } = values;
  if (help) return undefined;
  if (tools.length === 0)
    throw new UtensilError('invalid_option', 'Name a module that exports tools: --tools tools.js. See --help.');
  if (!tiers.includes(ask))
    throw new UtensilError('invalid_option', `--ask is one of ${tiers.join(', ')}; got "${ask}".`);
  if (!/^\d{1,5}$/.test(port)) throw new UtensilError('invalid_option', `--port must be a number; got "${port}".`);
  return { ...values, tools };
}

async function serve({ tools: modules, dir, ask, http, port, name }: Arguments): Promise<void> {
  const streams = http ? undefined : ownStreams(); // before modules write to them
  const tools = (await Promise.all(modules.map(toolsIn))).flat();
  const host: Host = dir === undefined ? {} : { files: await filesIn(dir) };
  const toolset = resolveToolset(createRegistry(tools), emptySettings, host);
  for (const { tool, reason } of toolset.unavailable)
    process.stderr.write(`utensil-mcp: tool "${tool.name}" is left out. ${reason}\n`);
  const options: McpServerOptions = {
    name,
    version: ownVersion(),
    policy: permissions(ask as PermissionTier),
    onError: (error) => process.stderr.write(`utensil-mcp: ${error.message}\n`),
  };
  const server = streams
    ? await serveMcpStdio(toolset, { ...options, streams })
    : await serveMcpHttp(toolset, { ...options, port: Number(port) });
  if ('url' in server) process.stderr.write(`utensil-mcp: ${server.url}\n`);
  await Promise.race(['closed' in server ? server.closed : new Promise(() => undefined), signalled()]);
  await server.close();
}

/** Tools exported by a module, individually or in a list. */
async function toolsIn(module: string): Promise<readonly Tool[]> {
  const found = Object.values(await importFrom(module)).flat();
  const tools = found.filter(isTool);
  if (tools.length > 0) return [...new Set(tools)];
  throw new UtensilError('invalid_option', `Module "${module}" exports no tools: export values of \`defineTool\`.`);
}

function isTool(value: unknown): value is Tool {
  return typeof value === 'object' && value !== null && 'name' in value && 'input' in value && 'effects' in value;
}

/** Files of a directory, through a package that users install separately. */
async function filesIn(dir: string) {
  const module = '@utensil/storage-filesystem';
  const { filesystemStorage } = await importFrom(module).catch((cause: unknown) => {
    throw new UtensilError('invalid_option', `--dir needs ${module}: npm install ${module}`, { cause });
  });
  return createFiles((filesystemStorage as (root: string) => Parameters<typeof createFiles>[0])(resolve(dir)));
}

/** A file, or a package resolved from this directory, otherwise from this program. */
async function importFrom(module: string): Promise<Record<string, unknown>> {
  const isFile = /^[./]|^[A-Za-z]:|\.[cm]?[jt]s$/.test(module);
  return (await import(isFile ? pathToFileURL(resolve(module)).href : packageAt(module))) as Record<string, unknown>;
}

function packageAt(module: string): string {
  try {
    return pathToFileURL(createRequire(resolve('package.json')).resolve(module)).href;
  } catch {
    return module;
  }
}

function ownVersion(): string {
  const { version } = createRequire(import.meta.url)('@utensil/interop-mcp/package.json') as {
    readonly version: string;
  };
  return version;
}

function signalled(): Promise<void> {
  return new Promise((settle) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => settle());
  });
}
