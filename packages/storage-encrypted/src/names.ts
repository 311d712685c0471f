// An encrypted name is valid on every disk: a letter, then base32. It depends only on the key and the plain name, so that
// it can be looked up, and so that a directory can be moved without its entries.
//
// e…  the name, encrypted under a synthetic nonce (the HMAC of the name), which also authenticates it
// l…  the HMAC of a name too long for that; the file k… next to it holds the name
// f…  a small file next to each entry: the HMAC of the case-folded name

import { foldCase } from '@utensil/core/files';
import { fromBase32, toBase32 } from './base32.ts';
import { utf8 } from './key.ts';
import type { Keys } from './key.ts';

/** A name as stored. */
export interface StoredName {
  readonly name: string;
  /** Reserves the name and all others that differ from it only in case. */
  readonly marker?: string;
  /** A file that holds a name too long to be encoded as a file name. */
  readonly side?: { readonly name: string; readonly content: Uint8Array };
}

/** Conversion between plain and stored names. */
export interface Names {
  toStored(name: string): Promise<StoredName>;
  /** Decodes a stored name; undefined if it represents none. */
  fromStored(stored: string, readSide: (name: string) => Promise<Uint8Array | undefined>): Promise<string | undefined>;
  /** True if this is a companion of an entry, never an entry itself. */
  isCompanion(stored: string): boolean;
}

/** Plain names, readable by anyone. */
export const plainNames: Names = {
  toStored: async (name) => ({ name }),
  fromStored: async (stored) => stored,
  isCompanion: () => false,
};

const nonceBytes = 16;
const shortHashBytes = 20;
/** Names are padded to a multiple of this, to hide their exact lengths. */
const blockBytes = 16;
/** A file name may have 255 bytes: this many, with the nonce, in base32 and with a letter, take 232. */
const longest = 128;
/** Maximum number of names cached in each direction. */
const remembered = 20_000;

/** Encrypted names, readable only with the key. */
export function encryptedNames(keys: Keys): Names {
  const stored = new Map<string, Promise<StoredName>>();
  const plain = new Map<string, string>();

  async function encrypt(name: string): Promise<StoredName> {
    const padded = pad(utf8(name));
    const hash = await hmac(keys.nameAuthentication, padded);
    const sealed = new Uint8Array(nonceBytes + padded.length);
    sealed.set(hash.subarray(0, nonceBytes));
    sealed.set(await crypt('encrypt', sealed.slice(0, nonceBytes), padded), nonceBytes);
    const folded = await hmac(keys.nameComparison, utf8(foldCase(name)));
    const marker = `f${toBase32(folded.subarray(0, shortHashBytes))}`;
    if (padded.length <= longest) return { name: `e${toBase32(sealed)}`, marker };
    const short = toBase32(hash.subarray(0, shortHashBytes));
    return { name: `l${short}`, marker, side: { name: `k${short}`, content: sealed } };
  }

  /** Decrypts a name; the result is valid only if it encrypts to the same text. */
  async function decrypt(sealed: Uint8Array<ArrayBuffer> | undefined): Promise<string | undefined> {
    if (sealed === undefined || sealed.length < nonceBytes + blockBytes) return undefined;
    const padded = await crypt('decrypt', sealed.slice(0, nonceBytes), sealed.slice(nonceBytes));
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(padded).replace(/\0+$/, '');
  }

  async function crypt(
    way: 'encrypt' | 'decrypt',
    counter: BufferSource,
    bytes: BufferSource,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const algorithm = { name: 'AES-CTR', counter, length: 64 };
    return new Uint8Array(await crypto.subtle[way](algorithm, keys.nameEncryption, bytes));
  }

  async function toStored(name: string): Promise<StoredName> {
    const encrypting = stored.get(name) ?? encrypt(name);
    remember(stored, name, encrypting);
    const encrypted = await encrypting;
    remember(plain, encrypted.name, name);
    return encrypted;
  }

  return {
    toStored,
    async fromStored(encrypted, readSide) {
      const known = plain.get(encrypted);
      if (known !== undefined) return known;
      const [kind, text] = [encrypted.charAt(0), encrypted.slice(1)];
      if (kind !== 'e' && kind !== 'l') return undefined;
      const side = kind === 'l' ? await readSide(`k${text}`) : undefined;
      const name = await decrypt(kind === 'e' ? fromBase32(text) : side && new Uint8Array(side));
      return name !== undefined && (await toStored(name)).name === encrypted ? name : undefined;
    },
    isCompanion: (encrypted) => /^[fk][a-z2-7]{32}$/.test(encrypted),
  };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  const [oldest] = map.size > remembered ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
}

function pad(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil(bytes.length / blockBytes) * blockBytes);
  padded.set(bytes);
  return padded;
}

async function hmac(key: CryptoKey, bytes: BufferSource): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes));
}
