import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import process from 'node:process';
import { hmacSeals, type Seals, UtensilError } from '@utensil/core';

/** Seals of a folder, or the reason why there are none. */
export type OpenedSeals = { readonly seals: Seals } | { readonly problem: string };

const keyLength = 32;

/**
 * Creates the seals of a folder, with a key of the user that is generated on first use. Tools and commands of the
 * folder cannot read it. Each folder has a derived key, so a `.utensil` copied from another folder grants nothing.
 */
export async function openSeals(folder: string, env: NodeJS.ProcessEnv): Promise<OpenedSeals> {
  const path = resolve(keyPath(env));
  const [place, root] = await Promise.all([realPlace(path), realpath(folder)]);
  if (isBelow(root, path) || isBelow(root, place))
    return { problem: problemText(`the key for it, ${path}, is inside the folder`) };
  const problem = await keyProblem(path);
  if (problem !== undefined) return { problem: problemText(problem) };
  let key: Promise<Buffer> | undefined;
  async function sign(message: Uint8Array): Promise<Uint8Array> {
    key ??= readKey(path);
    const userKey = await key.catch((error: unknown) => {
      key = undefined; // the next call tries again
      throw error;
    });
    const folderKey = createHmac('sha256', userKey).update(`utensil folder\n${root}`).digest();
    return createHmac('sha256', folderKey).update(message).digest();
  }
  return { seals: hmacSeals(sign) };
}

function keyPath({ UTENSIL_KEY_FILE: named, XDG_CONFIG_HOME: config }: NodeJS.ProcessEnv): string {
  if (named !== undefined && named !== '') return named;
  return join(config !== undefined && config !== '' ? config : join(homedir(), '.config'), 'utensil', 'key');
}

function problemText(why: string): string {
  return `What you always allow is forgotten when the program ends: ${why}. UTENSIL_KEY_FILE names another place.`;
}

/** The real path; its end may not exist yet. */
async function realPlace(path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined);
  if (found !== undefined || dirname(path) === path) return found ?? path;
  return join(await realPlace(dirname(path)), relative(dirname(path), path));
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Reason why an existing key cannot be used. */
async function keyProblem(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isFile() || found.size !== keyLength) return `${path} is not a key`;
  const isOpen = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
  return isOpen ? `others may read the key ${path} (chmod 600 changes that)` : undefined;
}

/** Reads the key, or creates it atomically: the first process wins. */
async function readKey(path: string): Promise<Buffer> {
  try {
    const known = await readFile(path).catch(ifMissing);
    if (known === undefined) await makeKey(path);
    const key = known ?? (await readFile(path));
    if (key.length === keyLength) return key;
  } catch (cause) {
    throw new UtensilError('EIO', `The key ${path} can be neither read nor made: ${String(cause)}`, { cause });
  }
  throw new UtensilError(
    'EIO',
    `${path} is not a key. Remove it; you are then asked again about tools that you always allowed.`,
  );
}

async function makeKey(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const growing = `${path}-${randomUUID()}`;
  try {
    await writeFile(growing, randomBytes(keyLength), { flag: 'wx', mode: 0o600 });
    await link(growing, path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(growing, { force: true });
  }
}

function ifMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
