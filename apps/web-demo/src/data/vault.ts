import { createListeners, isObject, isUtensilError, UtensilError } from '@utensil/core';
import type { RecordStore, Secrets } from '@utensil/core';
import { deriveKey, newKey, open, seal } from './seal.ts';
import type { Sealed } from './seal.ts';
import type { KeyStore } from './key-store.ts';

/** How the keys of a user are kept: with a key of this browser that cannot be taken out of it, or behind a passphrase. */
export type Protection = 'device' | 'passphrase';

/** The user's own API keys. They are stored sealed, and sent to nobody but the service that they are for. */
export interface Vault extends Secrets {
  readonly protection: Protection;
  /** It wants its passphrase. */
  readonly isLocked: boolean;
  /** The names of what is in it, readable or not. */
  names(): readonly string[];
  set(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** Opens it until the page is closed. Throws `invalid_input` for a wrong passphrase. */
  unlock(passphrase: string): Promise<void>;
  lock(): void;
  /** Seals all that is in it anew: behind a passphrase, or without one with a key of this browser. It has to be open. */
  protect(passphrase: string | undefined): Promise<void>;
  subscribe(listener: () => void): () => void;
}

interface Stored {
  readonly protection: Protection;
  /** Of the passphrase. */
  readonly salt?: string;
  /** A known word, sealed: what opens it is the right key. */
  readonly proof: Sealed;
  readonly secrets: Readonly<Record<string, Sealed>>;
}

const record = ['vault'];
const word = 'utensil';

/** Opens the vault of this browser. */
export async function openVault(app: RecordStore, keys: KeyStore): Promise<Vault> {
  const { notify, subscribe } = createListeners();
  let stored = await load();
  let key = stored.protection === 'device' ? await deviceKey() : undefined;

  async function load(): Promise<Stored> {
    const value = (await app.get(record))?.value;
    return isStored(value) ? value : fresh();
  }

  async function fresh(): Promise<Stored> {
    return { protection: 'device', proof: await seal(await deviceKey(), word), secrets: {} };
  }

  async function deviceKey(): Promise<CryptoKey> {
    const known = await keys.get();
    if (known !== undefined) return known;
    const made = await newKey();
    await keys.put(made);
    return made;
  }

  async function store(next: Stored): Promise<void> {
    await app.put(record, next as never);
    stored = next;
    notify();
  }

  function opened(): CryptoKey {
    if (key !== undefined) return key;
    throw new UtensilError(
      'invalid_input',
      'The keys are locked: unlock them with your passphrase, on the page "Models".',
    );
  }

  return {
    get protection() {
      return stored.protection;
    },
    get isLocked() {
      return key === undefined;
    },
    names: () => Object.keys(stored.secrets),
    async get(name) {
      const sealed = Object.hasOwn(stored.secrets, name) ? stored.secrets[name] : undefined;
      return sealed === undefined ? undefined : open(opened(), sealed);
    },
    async set(name, value) {
      const sealed = await seal(opened(), value);
      await store({ ...(await load()), secrets: { ...stored.secrets, [name]: sealed } });
    },
    async remove(name) {
      const { [name]: _, ...secrets } = stored.secrets;
      await store({ ...stored, secrets });
    },
    async unlock(passphrase) {
      const derived = await deriveKey(passphrase, stored.salt ?? '');
      try {
        await open(derived, stored.proof);
      } catch (error) {
        if (isUtensilError(error))
          throw new UtensilError('invalid_input', 'This is not the passphrase. Nothing was changed.');
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
