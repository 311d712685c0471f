import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, messageOf, UtensilError } from '@utensil/core';
import type { Json, JsonObject } from '@utensil/core';

/** File of a folder that names its MCP servers, as other apps have it. Tools and strangers may have written it. */
export const configName = '.mcp.json';

/** Characters of a file: no list of servers is longer. */
const longest = 1_000_000;

/** The contents of the file. */
interface Config {
  readonly contents: JsonObject;
  readonly servers: ReadonlyMap<string, Json>;
}

/** Reads the servers of a folder, each as the file has it. None if there is no file. Throws `invalid_input`. */
export async function readServers(folder: string): Promise<ReadonlyMap<string, Json>> {
  return (await readConfig(folder)).servers;
}

/** Changes the servers in the file. What else the file has stays. */
export async function changeServers(
  folder: string,
  change: (servers: Map<string, Json>) => void,
): Promise<ReadonlyMap<string, Json>> {
  const { contents, servers } = await readConfig(folder);
  const changed = new Map(servers);
  change(changed);
  await writeConfig(folder, { ...contents, [keyOf(contents)]: Object.fromEntries(changed) });
  return changed;
}

async function readConfig(folder: string): Promise<Config> {
  const text = await readFile(join(folder, configName), 'utf8').catch(ifMissing);
  if (text === undefined) return { contents: {}, servers: new Map() };
  if (text.length > longest) throw unreadable(`it has ${text.length} characters`);
  const contents = parsed(text);
  const servers: unknown = contents[keyOf(contents)] ?? {};
  if (!isObject(servers)) throw unreadable('`mcpServers` is no object');
  return { contents, servers: new Map(Object.entries(servers as JsonObject)) };
}

function parsed(text: string): JsonObject {
  try {
    const contents: unknown = JSON.parse(text);
    if (isObject(contents)) return contents as JsonObject;
  } catch {
    throw unreadable('it is no JSON'); // the message of the parser would repeat the text
  }
  throw unreadable('it is no object');
}

function keyOf(contents: JsonObject): 'mcpServers' | 'servers' {
  return contents['mcpServers'] === undefined && contents['servers'] !== undefined ? 'servers' : 'mcpServers';
}

function unreadable(why: string): UtensilError {
  return new UtensilError('invalid_input', `${configName} cannot be read: ${why}. Correct or remove it.`);
}

async function writeConfig(folder: string, contents: JsonObject): Promise<void> {
  const path = join(folder, configName);
  const growing = `${path}-${randomUUID()}`;
  try {
    await writeFile(growing, `${JSON.stringify(contents, undefined, 2)}\n`, { flag: 'wx' });
    await rename(growing, path);
  } catch (cause) {
    throw new UtensilError('EIO', `${configName} cannot be written: ${messageOf(cause)}`, { cause });
  } finally {
    await rm(growing, { force: true });
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw new UtensilError('EIO', `${configName} cannot be read: ${error.message}`, { cause: error });
}
