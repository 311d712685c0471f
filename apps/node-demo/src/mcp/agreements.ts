import { hmacSeals } from '@utensil/core';
import type { Json, JsonObject, RecordStore, Seals } from '@utensil/core';

/** Servers that the user has allowed, each exactly as the file had it then. */
export interface Agreements {
  has(name: string, entry: Json): Promise<boolean>;
  add(name: string, entry: Json): Promise<void>;
}

const key = ['demo', 'mcp-servers'];

/** Fingerprints that are kept: each change of an entry makes another. */
const mostKept = 200;

/**
 * Agreements of a folder: fingerprints that only this user's key makes, so that whoever writes into the folder cannot agree. Without
 * `seals`, they last until the program ends.
 */
export function openAgreements(records: RecordStore, seals: Seals | undefined): Agreements {
  const { make } = seals ?? hmacSeals(crypto.getRandomValues(new Uint8Array(32)));
  const given = new Set<string>();

  async function stored(): Promise<readonly unknown[]> {
    if (seals === undefined) return [];
    const value = (await records.get(key).catch(() => undefined))?.value; // a damaged record agrees to nothing
    return Array.isArray(value) ? value : [];
  }

  return {
    async has(name, entry) {
      const fingerprint = await make(statementOf(name, entry));
      return given.has(fingerprint) || (await stored()).includes(fingerprint);
    },
    async add(name, entry) {
      const fingerprint = await make(statementOf(name, entry));
      given.add(fingerprint);
      if (seals === undefined) return;
      const others = (await stored()).filter(
        (each): each is string => typeof each === 'string' && each !== fingerprint,
      );
      await records.put(key, [...others, fingerprint].slice(-mostKept));
    },
  };
}

function statementOf(name: string, entry: Json): JsonObject {
  return { kind: 'mcp-server', name, entry };
}
