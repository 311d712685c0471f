import type { Json, Principal } from '@utensil/core';
import type { WritableSecrets } from './options.ts';

/**
 * Records among the secrets. `account`: issuer of a user at a server, and the server's requirements. `tokens`: by
 * issuer, user and server. `client`: a registration at an issuer. `begun`: a pending sign-in.
 */
export type RecordKind = 'account' | 'tokens' | 'client' | 'begun';

/** Owner of a record, and the rest of its key. */
export interface RecordName {
  readonly kind: RecordKind;
  readonly principal: Principal | undefined;
  readonly of: readonly string[];
}

/** Records among the secrets. Each contains its key, so that a misplaced one is ignored. */
export interface SignInRecords {
  read<Value>(name: RecordName): Promise<Value | undefined>;
  write(name: RecordName, value: object | undefined): Promise<void>;
  /** Runs work exclusively under this name. */
  exclusively<Value>(name: RecordName, work: () => Promise<Value>): Promise<Value>;
}

export function createRecords(secrets: WritableSecrets): SignInRecords {
  const underWay = new Map<string, Promise<unknown>>();

  function ownerOf({ principal }: RecordName): { principal?: Principal } {
    return principal === undefined ? {} : { principal };
  }

  return {
    async read<Value>(name: RecordName) {
      const text = await secrets.get(await keyOf(name), ownerOf(name));
      if (text === undefined) return undefined;
      try {
        const { of, value } = JSON.parse(text) as { readonly of: Json; readonly value: Value };
        const isOurs = typeof value === 'object' && JSON.stringify(of) === JSON.stringify(belongingOf(name));
        return isOurs ? value : undefined;
      } catch {
        return undefined; // damaged: the user signs in again
      }
    },
    async write(name, value) {
      const text = value === undefined ? undefined : JSON.stringify({ of: belongingOf(name), value });
      await secrets.set(await keyOf(name), text, ownerOf(name));
    },
    async exclusively(name, work) {
      const key = await keyOf(name);
      const before = underWay.get(key) ?? Promise.resolve();
      const alone = async () => (secrets.exclusively === undefined ? work() : secrets.exclusively(key, work));
      const mine = before.then(alone, alone);
      const settled = mine.catch(() => undefined);
      underWay.set(key, settled);
      try {
        return await mine;
      } finally {
        if (underWay.get(key) === settled) underWay.delete(key);
      }
    },
  };
}

/** No principal differs from a principal with an empty name. */
function belongingOf({ kind, principal, of }: RecordName): readonly (string | null)[] {
  return [kind, principal?.id ?? null, ...of];
}

async function keyOf(name: RecordName): Promise<string> {
  return `mcp.${name.kind}-${await sha256(JSON.stringify(belongingOf(name)))}`;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
