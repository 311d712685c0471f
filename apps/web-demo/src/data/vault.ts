import { isObject, isUtensilError, UtensilError } from '@utensil/core';
import { createListeners } from '@utensil/core/storage';
import type { RecordStore, Secrets } from '@utensil/core';
import { currentTexts } from '../texts/texts.ts';
import { readOnce } from './mending.ts';
import { deriveKey, newKey, open, seal } from './seal.ts';
import type { Sealed } from './seal.ts';
import type { KeyStore } from './key-store.ts';

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
  let problem: string | undefined;
  let stored = await load().catch(async (error: unknown) => {
    if (!isUtensilError(error, 'invalid_input')) throw error;
    problem = error.message;
    return fresh();
  });
  let names = Object.keys(stored.secrets);
  let key = await keyFor(stored);
  app.watch(record, () => void refresh().catch(() => undefined)); // unreadable entries are reported when they are used

  async function load(): Promise<Stored> {
    const value = await readOnce(app, record, currentTexts().keys.damaged);
    return isStored(value) ? value : fresh();
  }

  /** Loads entries stored by another tab, and its protection. */
  async function refresh(): Promise<void> {
    const next = await load();
    if (next.proof.data !== stored.proof.data && Object.keys(next.secrets).length > 0) key = await keyFor(next);
    stored = next;
    names = Object.keys(next.secrets);
    notify();
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

  async function store(next: Stored): Promise<void> {
    await app.put(record, next as never);
    stored = next;
    names = Object.keys(next.secrets);
    notify();
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
      const sealed = Object.hasOwn(stored.secrets, name) ? stored.secrets[name] : undefined;
      return sealed === undefined ? undefined : open(opened(), sealed);
    },
    async set(name, value) {
      await refresh();
      const sealed = await seal(opened(), value);
      await store({ ...stored, secrets: { ...stored.secrets, [name]: sealed } });
    },
    async remove(name) {
      await refresh();
      const { [name]: _, ...secrets } = stored.secrets;
      await store({ ...stored, secrets });
    },
    async unlock(passphrase) {
      const derived = await deriveKey(passphrase, stored.salt ?? '');
      try {
        await open(derived, stored.proof);
      } catch (error) {
        if (isUtensilError(error)) throw new UtensilError('invalid_input', currentTexts().keys.wrongPassphrase);
        throw error;
      }
      key = derived;
      notify();
    },
    lock() {
      if (stored.protection === 'passphrase') key = undefined;
      notify();
    },
    async protect(passphrase) {
      await refresh();
      const salt = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
      const next = passphrase === undefined ? await deviceKey() : await deriveKey(passphrase, salt);
      const entries = await Promise.all(
        Object.entries(stored.secrets).map(
          async ([name, sealed]) => [name, await seal(next, await open(opened(), sealed))] as const,
        ),
      );
      const secrets = Object.fromEntries(entries);
      const proof = await seal(next, word);
      await store(
        passphrase === undefined
          ? { protection: 'device', proof, secrets }
          : { protection: 'passphrase', salt, proof, secrets },
      );
      key = next;
      notify();
    },
    subscribe,
  };
}

function isStored(value: unknown): value is Stored & Record<string, never> {
  return isObject(value) && isObject(value['proof']) && isObject(value['secrets']);
}
