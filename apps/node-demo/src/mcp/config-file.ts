import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, messageOf, UtensilError } from '@utensil/core';
import type { Json, JsonObject } from '@utensil/core';

/** File that lists the MCP servers of a folder, in the format of other apps. Untrusted: tools or other people may have written it. */
export const configName = '.mcp.json';

/** Maximum size of the file, in bytes. */
const longest = 1_000_000;

/** The contents of the file. */
interface Config {
  /** Permissions of the file. */
  readonly mode: number;
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
  const { contents, servers, mode } = await readConfig(folder);
  const changed = new Map(servers);
  change(changed);
  await writeConfig(folder, { ...contents, [keyOf(contents)]: Object.fromEntries(changed) }, mode);
  return changed;
}

async function readConfig(folder: string): Promise<Config> {
  const found = await readText(join(folder, configName));
  if (found === undefined) return { contents: {}, servers: new Map(), mode: 0o666 };
  const { text, mode } = found;
  const contents = parsed(text);
  const servers: unknown = contents[keyOf(contents)] ?? {};
  if (!isObject(servers)) throw unreadable('`mcpServers` is not an object');
  return { contents, servers: new Map(Object.entries(servers as JsonObject)), mode };
}

/** `O_NONBLOCK` avoids waiting for the writer of a pipe. On Windows both flags are undefined, which `|` reads as 0. */
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Reads the file if it is a regular one: a hostile folder may contain a link to the user's other files, or to an endless device. */
async function readText(path: string): Promise<{ readonly text: string; readonly mode: number } | undefined> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(ifMissing);
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw unreadable('it is not a file');
    if (stats.size > longest) throw unreadable(`it has ${stats.size} bytes`);
    return { text: await file.readFile('utf8'), mode: stats.mode & 0o777 };
  } finally {
    await file.close();
  }
}

function parsed(text: string): JsonObject {
  try {
    const contents: unknown = JSON.parse(text);
    if (isObject(contents)) return contents as JsonObject;
  } catch {
    throw unreadable('it is no JSON'); // the message of the parser would repeat the text
  }
  throw unreadable('it is not an object');
}

function keyOf(contents: JsonObject): 'mcpServers' | 'servers' {
  return contents['mcpServers'] === undefined && contents['servers'] !== undefined ? 'servers' : 'mcpServers';
}

function unreadable(why: string): UtensilError {
  return new UtensilError('invalid_input', `${configName} cannot be read: ${why}. Correct or remove it.`);
}

async function writeConfig(folder: string, contents: JsonObject, mode: number): Promise<void> {
  const path = join(folder, configName);
  const growing = `${path}-${randomUUID()}`;
  try {
    await writeFile(growing, `${JSON.stringify(contents, undefined, 2)}\n`, { flag: 'wx', mode });
    await rename(growing, path);
  } catch (cause) {
    throw new UtensilError('EIO', `${configName} cannot be written: ${messageOf(cause)}`, { cause });
  } finally {
    await rm(growing, { force: true });
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  if (error.code === 'ELOOP') throw unreadable('it is a link');
  throw new UtensilError('EIO', `${configName} cannot be read: ${error.message}`, { cause: error });
}
