import { isObject, isUtensilError, UtensilError } from '@utensil/core';
import { createListeners } from '@utensil/core/storage';
import type { RecordStore, Secrets, StoredRecord } from '@utensil/core';
import { currentTexts } from '../texts/texts.ts';
import { readOnce } from './mending.ts';
import { deriveKey, newKey, open, seal } from './seal.ts';
import type { Sealed } from './seal.ts';
import type { KeyStore } from './key-store.ts';
import { createTurns } from './turns.ts';

/** Protection of a user's keys: a non-extractable key of this browser, or a passphrase. */
export type Protection = 'device' | 'passphrase';

/** The user's API keys. Stored encrypted, and sent only to their service. */
export interface Vault extends Secrets {
  readonly protection: Protection;
  /** Reason why its content could not be read. */
  readonly problem: string | undefined;
  /** True if it needs its passphrase. */
  readonly isLocked: boolean;
  /** Names of its entries, readable or not; the same array until one is added or removed. */
  names(): readonly string[];
  set(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** Unlocks it until the page is closed. Throws `invalid_input` for a wrong passphrase. */
  unlock(passphrase: string): Promise<void>;
  lock(): void;
  /** Encrypts all entries again: with a passphrase, or with a key of this browser. Must be unlocked. */
  protect(passphrase: string | undefined): Promise<void>;
  subscribe(listener: () => void): () => void;
}

interface Stored {
  readonly protection: Protection;
  /** Salt of the passphrase. */
  readonly salt?: string;
  /** An encrypted known word, to verify the key. */
  readonly proof: Sealed;
  readonly secrets: Readonly<Record<string, Sealed>>;
}

const record = ['vault'];
const word = 'utensil';

/** Opens the vault of this browser. */
export async function openVault(app: RecordStore, keys: KeyStore): Promise<Vault> {
  const { notify, subscribe } = createListeners();
  const inTurn = createTurns();
  let problem: string | undefined;
  const found = await read().catch((error: unknown) => {
    if (!noteDamage(error)) throw error;
    return undefined;
  });
  let etag = found?.etag;
  let stored = await storedIn(found);
  let names = Object.keys(stored.secrets);
  let key = await keyFor(stored);
  /** Other errors are reported when entries are used. */
  const look = (): Promise<void> => inTurn(refresh).catch((error: unknown) => void (noteDamage(error) && notify()));
  app.watch(record, () => void look());
  await look(); // it may have changed before it was watched

  /** A damaged record is reported once: it was set aside. */
  function noteDamage(error: unknown): boolean {
    if (!isUtensilError(error, 'invalid_input')) return false;
    problem = error.message;
    return true;
  }

  function read(): Promise<StoredRecord | undefined> {
    return readOnce(app, record, currentTexts().keys.damaged);
  }

  async function storedIn(found: StoredRecord | undefined): Promise<Stored> {
    return isStored(found?.value) ? found.value : fresh();
  }

  /** Loads what another tab has stored. */
  async function refresh(): Promise<void> {
    const found = await read();
    if (found?.etag === etag) return;
    const next = await storedIn(found);
    if (next.proof.data !== stored.proof.data) key = await keyFor(next);
    show(next, found?.etag);
  }

  function show(next: Stored, nextEtag: string | undefined): void {
    etag = nextEtag;
    stored = next;
    names = Object.keys(next.secrets);
    notify();
  }

  /** Stores a change of the stored entries, which is made again if another tab has stored something meanwhile. */
  function change(make: () => Promise<Stored>, nextKey?: CryptoKey): Promise<void> {
    return inTurn(async () => {
      for (;;) {
        await refresh();
        const next = await make();
        const expect = [{ key: record, etag: etag ?? null }];
        const result = await app.commit([{ type: 'put', key: record, value: next as never }], { expect });
        if (!result.ok) continue;
        key = nextKey ?? key;
        return show(next, result.records[0]?.etag);
      }
    });
  }

  async function keyFor({ protection }: Stored): Promise<CryptoKey | undefined> {
    return protection === 'device' ? deviceKey() : undefined;
  }

  async function fresh(): Promise<Stored> {
    return { protection: 'device', proof: await seal(await deviceKey(), word), secrets: {} };
  }

  async function deviceKey(): Promise<CryptoKey> {
    return (await keys.get()) ?? keys.keep(await newKey());
  }

  async function sealedAgain(next: CryptoKey): Promise<Stored['secrets']> {
    const now = opened();
    const entries = Object.entries(stored.secrets).map(
      async ([name, sealed]) => [name, await seal(next, await open(now, sealed))] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  function opened(): CryptoKey {
    if (key !== undefined) return key;
    throw new UtensilError('invalid_input', currentTexts().keys.lockedProblem);
  }

  return {
    get protection() {
      return stored.protection;
    },
    get problem() {
      return problem;
    },
    get isLocked() {
      return key === undefined;
    },
    names: () => names,
    async get(name) {
      await inTurn(refresh);
      const sealed = Object.hasOwn(stored.secrets, name) ? stored.secrets[name] : undefined;
      return sealed === undefined ? undefined : open(opened(), sealed);
    },
    set: (name, value) =>
      change(async () => {
        const sealed = await seal(opened(), value);
        return { ...stored, secrets: { ...stored.secrets, [name]: sealed } };
      }),
    remove: (name) =>
      change(async () => {
        const { [name]: _, ...secrets } = stored.secrets;
        return { ...stored, secrets };
      }),
    unlock: (passphrase) =>
      inTurn(async () => {
        await refresh();
        const derived = await deriveKey(passphrase, stored.salt ?? '');
        try {
          await open(derived, stored.proof);
        } catch (error) {
          if (isUtensilError(error)) throw new UtensilError('invalid_input', currentTexts().keys.wrongPassphrase);
          throw error;
        }
        key = derived;
        notify();
      }),
    lock() {
      if (stored.protection === 'passphrase') key = undefined;
      notify();
    },
    async protect(passphrase) {
      const salt = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
      const next = passphrase === undefined ? await deviceKey() : await deriveKey(passphrase, salt);
      const kind =
        passphrase === undefined ? { protection: 'device' as const } : { protection: 'passphrase' as const, salt };
      const make = async (): Promise<Stored> => {
        const secrets = await sealedAgain(next);
        return { ...kind, proof: await seal(next, word), secrets };
      };
      await change(make, next);
    },
    subscribe,
  };
}

function isStored(value: unknown): value is Stored & Record<string, never> {
  return isObject(value) && isObject(value['proof']) && isObject(value['secrets']);
}
