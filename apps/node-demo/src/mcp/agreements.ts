import { hmacSeals, isObject } from '@utensil/core';
import type { Json, JsonObject, RecordStore, Seals } from '@utensil/core';

/** Servers that the user has allowed, each exactly as the file had it then. */
export interface Agreements {
  has(name: string, entry: Json): Promise<boolean>;
  add(name: string, entry: Json): Promise<void>;
  /** Revokes all agreements for a name. */
  remove(name: string): Promise<void>;
}

const key = ['demo', 'mcp-servers'];

/** Fingerprints that are kept: each change of an entry makes another. */
const mostKept = 200;

/**
 * Agreements of a folder: fingerprints made with this user's key, so other writers of the folder cannot forge them. Without
 * `seals`, they last until the program ends.
 */
export function openAgreements(records: RecordStore, seals: Seals | undefined): Agreements {
  const { make } = seals ?? hmacSeals(crypto.getRandomValues(new Uint8Array(32)));
  let own: readonly Agreement[] = [];

  async function stored(): Promise<readonly Agreement[]> {
    if (seals === undefined) return own;
    const value = (await records.get(key).catch(() => undefined))?.value; // a damaged record agrees to nothing
    return Array.isArray(value) ? value.filter(isAgreement) : [];
  }

  async function store(all: readonly Agreement[]): Promise<void> {
    if (seals === undefined) own = all;
    else await records.put(key, all);
  }

  return {
    async has(name, entry) {
      const fingerprint = await make(statementOf(name, entry));
      return (await stored()).some((each) => each.fingerprint === fingerprint);
    },
    async add(name, entry) {
      const fingerprint = await make(statementOf(name, entry));
      const others = (await stored()).filter((each) => each.fingerprint !== fingerprint);
      await store([...others, { name, fingerprint }].slice(-mostKept));
    },
    async remove(name) {
      const all = await stored();
      const others = all.filter((each) => each.name !== name);
      if (others.length < all.length) await store(others);
    },
  };
}

interface Agreement extends JsonObject {
  readonly name: string;
  readonly fingerprint: string;
}

function isAgreement(value: unknown): value is Agreement {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['fingerprint'] === 'string';
}

function statementOf(name: string, entry: Json): JsonObject {
  return { kind: 'mcp-server', name, entry };
}
