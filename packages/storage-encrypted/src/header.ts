// The header of an encrypted storage, as one line of JSON: the salt of its keys, the policy for names, a proof that
// only the right key produces, and a checksum that distinguishes damage from a wrong key.

import { isObject } from '@utensil/core';
import type { EntryKey } from '@utensil/core/storage';
import { fromBase32, toBase32 } from './base32.ts';
import { deriveKeys, utf8 } from './key.ts';
import type { Keys, StorageKey } from './key.ts';

/** Policy for names. */
export type NamesPolicy = 'encrypted' | 'plain';

/** Keys of the header and its copy, which are hidden from listings. */
export const headerKeys: readonly EntryKey[] = [
  { tree: 'records', path: '/.encryption' },
  { tree: 'records', path: '/.encryption-copy' },
];

/** True if a key is one of the header copies. */
export function isHeader({ tree, path }: EntryKey): boolean {
  return headerKeys.some((header) => header.tree === tree && header.path === path);
}

const format = 'utensil-encrypted';
const version = 1;
const saltBytes = 32;

/** Keys and policy of a storage. */
export interface Encryption {
  readonly keys: Keys;
  readonly names: NamesPolicy;
}

/** A proven encryption, and the header to store for it. */
export interface Proven extends Encryption {
  readonly header: string;
}

/** Result of checking a header with a key. */
export type Finding =
  | { readonly type: 'proven'; readonly proven: Proven }
  /** Written with another key. Without a checksum, as in older versions, it may also be damaged. */
  | { readonly type: 'foreign'; readonly isWhole: boolean }
  | { readonly type: 'newer' }
  | { readonly type: 'damaged' };

interface Fields {
  readonly names: NamesPolicy;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly proof: Uint8Array<ArrayBuffer>;
}

/** Creates the encryption of a new storage. */
export async function newEncryption(key: StorageKey, names: NamesPolicy): Promise<Proven> {
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
  const keys = await deriveKeys(key, salt);
  const proof = new Uint8Array(await crypto.subtle.sign('HMAC', keys.proof, provenBy(names)));
  return { keys, names, header: await encode({ names, salt, proof }) };
}

/** Checks a stored header with a key. */
export async function examine(stored: Uint8Array, key: StorageKey): Promise<Finding> {
  const parsed = parse(new TextDecoder().decode(stored));
  if (parsed?.['format'] !== format) return { type: 'damaged' };
  const { checksum, ...others } = parsed;
  const isWhole = checksum === (await checksumOf(others));
  if (parsed['version'] !== version) return { type: isWhole ? 'newer' : 'damaged' };
  const fields = fieldsOf(parsed);
  if (fields === undefined) return { type: 'damaged' };
  const { names, salt, proof } = fields;
  const keys = await deriveKeys(key, salt);
  if (await crypto.subtle.verify('HMAC', keys.proof, proof, provenBy(names))) {
    return { type: 'proven', proven: { keys, names, header: await encode(fields) } };
  }
  return checksum === undefined || isWhole ? { type: 'foreign', isWhole } : { type: 'damaged' };
}

async function encode({ names, salt, proof }: Fields): Promise<string> {
  const header = { format, version, names, salt: toBase32(salt), proof: toBase32(proof) };
  return `${JSON.stringify({ ...header, checksum: await checksumOf(header) })}\n`;
}

/** Every header version computes its checksum this way, whatever other fields it has. */
async function checksumOf(header: object): Promise<string> {
  return toBase32(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(JSON.stringify(header)))));
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function fieldsOf({ names, ...header }: Record<string, unknown>): Fields | undefined {
  const [salt, proof] = [header['salt'], header['proof']].map((field) => fromBase32(String(field)));
  if ((names !== 'encrypted' && names !== 'plain') || salt?.length !== saltBytes || proof === undefined)
    return undefined;
  return { names, salt, proof };
}

/** The salt is authenticated indirectly, because the key of the proof is derived from it. */
function provenBy(names: NamesPolicy): Uint8Array<ArrayBuffer> {
  return utf8(`${format} ${version} ${names}`);
}
