import { fileError, isObject } from '@utensil/core';
import type { EntryKey, StorageDriver, UtensilError } from '@utensil/core';
import { fromBase32, toBase32 } from './base32.ts';
import { deriveKeys, utf8 } from './key.ts';
import type { Keys, StorageKey } from './key.ts';

/** Whether names are encrypted too. */
export type NamesPolicy = 'encrypted' | 'plain';

/** Where a storage says that it is encrypted, and how. Nobody is shown it. */
export const headerKey: EntryKey = { tree: 'records', path: '/.encryption' };

const format = 'utensil-encrypted';
const version = 1;
const saltBytes = 32;

/** What a storage is encrypted with. */
export interface Encryption {
  readonly keys: Keys;
  readonly names: NamesPolicy;
}

/** What an app knows of it. */
export interface Credentials {
  readonly key: StorageKey;
  /** What the app insists on; else a storage is taken as it is, and a new one encrypts names. */
  readonly names: NamesPolicy | undefined;
}

/** The encryption of a storage; undefined for one that has nothing in it. Throws for a key that is not its own. */
export async function readHeader(driver: StorageDriver, credentials: Credentials): Promise<Encryption | undefined> {
  const found = (await driver.read(headerKey)) ?? (await whereOthersAre(driver));
  return found && parse(found.content, credentials);
}

/** Without a header there must be nothing: not even if somebody has taken the header away. */
async function whereOthersAre(driver: StorageDriver): Promise<{ readonly content: Uint8Array } | undefined> {
  const trees = ['files', 'records'] as const;
  const listed = await Promise.all(trees.map((tree) => driver.list({ tree, path: '/', depth: 1, limit: 1 })));
  if (listed.flat().length === 0) return undefined;
  const found = await driver.read(headerKey); // perhaps somebody has begun meanwhile
  if (found === undefined) throw refused('EIO', 'It holds what is not encrypted, or its header is gone: use another.');
  return found;
}

/** Begins a storage, unless somebody else just has. */
export async function writeHeader(driver: StorageDriver, credentials: Credentials, time: number): Promise<Encryption> {
  const { key, names = 'encrypted' } = credentials;
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
  const keys = await deriveKeys(key, salt);
  const proof = new Uint8Array(await crypto.subtle.sign('HMAC', keys.proof, provenBy(names)));
  const header = { format, version, names, salt: toBase32(salt), proof: toBase32(proof) };
  const { ok } = await driver.commit({
    expect: [{ ...headerKey, etag: null }],
    changes: [{ ...headerKey, type: 'write', content: utf8(`${JSON.stringify(header)}\n`) }],
    time,
    durable: true, // without it, nothing that comes later can be read
  });
  if (ok) return { keys, names };
  const other = await readHeader(driver, credentials);
  if (other === undefined) throw refused('EIO', 'Its header cannot be kept: look after the storage below.');
  return other;
}

async function parse(bytes: Uint8Array, { key, names: wanted }: Credentials): Promise<Encryption> {
  const { names, salt, proof } = fieldsOf(bytes);
  const keys = await deriveKeys(key, salt);
  if (!(await crypto.subtle.verify('HMAC', keys.proof, proof, provenBy(names)))) {
    throw refused('EACCES', 'The key is not the one that this storage was encrypted with, or its header was altered.');
  }
  if (wanted !== undefined && wanted !== names) {
    throw refused('EINVAL', `The names in this storage are ${names}: open it with that policy.`);
  }
  return { keys, names };
}

interface Fields {
  readonly names: NamesPolicy;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly proof: Uint8Array<ArrayBuffer>;
}

function fieldsOf(bytes: Uint8Array): Fields {
  const header = parseJson(new TextDecoder().decode(bytes));
  if (!isObject(header) || header['format'] !== format) throw broken();
  if (header['version'] !== version) {
    throw refused('EIO', 'It was encrypted by a newer version of this package: update the app.');
  }
  const names = header['names'];
  const [salt, proof] = [header['salt'], header['proof']].map((field) => fromBase32(String(field)));
  if ((names !== 'encrypted' && names !== 'plain') || salt?.length !== saltBytes || proof === undefined) throw broken();
  return { names, salt, proof };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken();
  }
}

/** The salt is part of what is proven, because the key of the proof comes from it. */
function provenBy(names: NamesPolicy): Uint8Array<ArrayBuffer> {
  return utf8(`${format} ${version} ${names}`);
}

function broken(): UtensilError {
  return refused('EIO', 'The header of its encryption is damaged: put a copy of it in its place.');
}

function refused(code: 'EACCES' | 'EINVAL' | 'EIO', hint: string): UtensilError {
  return fileError(code, '/', { hint });
}
