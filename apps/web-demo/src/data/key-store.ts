/** The browser's storage for a non-extractable key. */
export interface KeyStore {
  get(): Promise<CryptoKey | undefined>;
  /** Stores a key unless there already is one; returns the stored one. */
  keep(key: CryptoKey): Promise<CryptoKey>;
}

const store = 'keys';

/** A database of its own, because only IndexedDB can store a non-extractable `CryptoKey`. */
export function browserKeyStore(name: string): KeyStore {
  async function use<Result>(
    mode: IDBTransactionMode,
    act: (keys: IDBObjectStore) => Promise<Result>,
  ): Promise<Result> {
    const database = await opened(name);
    try {
      return await act(database.transaction(store, mode).objectStore(store));
    } finally {
      database.close();
    }
  }
  return {
    get: () => use<CryptoKey | undefined>('readonly', (keys) => settled(keys.get('device'))),
    keep: (key) =>
      use('readwrite', async (keys) => {
        const known = await settled<CryptoKey | undefined>(keys.get('device')); // created by another tab
        if (known === undefined) await settled(keys.put(key, 'device'));
        return known ?? key;
      }),
  };
}

/** For browsers without storage: in memory, until the page is closed. */
export function pageKeyStore(): KeyStore {
  let kept: CryptoKey | undefined;
  return {
    get: () => Promise.resolve(kept),
    keep: (key) => Promise.resolve((kept ??= key)),
  };
}

function opened(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(store));
  return settled(request);
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });
}
