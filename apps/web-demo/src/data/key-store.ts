/** Where the browser keeps a key that scripts can use, and cannot read. */
export interface KeyStore {
  get(): Promise<CryptoKey | undefined>;
  put(key: CryptoKey): Promise<void>;
}

const store = 'keys';

/** In a database of its own: only IndexedDB stores a `CryptoKey` that cannot be exported. */
export function browserKeyStore(name = 'utensil-web-demo-keys'): KeyStore {
  async function use<Result>(
    mode: IDBTransactionMode,
    act: (keys: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> {
    const database = await opened(name);
    try {
      return await settled(act(database.transaction(store, mode).objectStore(store)));
    } finally {
      database.close();
    }
  }
  return {
    get: () => use<CryptoKey | undefined>('readonly', (keys) => keys.get('device')),
    put: async (key) => void (await use('readwrite', (keys) => keys.put(key, 'device'))),
  };
}

/** For browsers that store nothing: for as long as the page is open. */
export function pageKeyStore(): KeyStore {
  let kept: CryptoKey | undefined;
  return {
    get: () => Promise.resolve(kept),
    put: (key) => Promise.resolve(void (kept = key)),
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
