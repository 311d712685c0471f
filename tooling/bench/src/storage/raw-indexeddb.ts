import type { Keeper } from './keeper.ts';

/** The minimal storage of files in IndexedDB: metadata and contents in separate stores, both by path. */
export async function rawIndexeddb(name: string, durability: IDBTransactionDurability): Promise<Keeper> {
  const opening = indexedDB.open(name);
  opening.onupgradeneeded = () => ['entries', 'contents'].map((store) => opening.result.createObjectStore(store));
  const database = await done(opening);
  const below = (store: string, path: string) => {
    const [all, range] = [database.transaction(store).objectStore(store), IDBKeyRange.bound(`${path}/`, `${path}0`)];
    return Promise.all([done(all.getAllKeys(range)), done(all.getAll(range))]);
  };
  return {
    makeDirectories: async () => {},
    write: (files) =>
      new Promise((resolve, reject) => {
        const transaction = database.transaction(['entries', 'contents'], 'readwrite', { durability });
        for (const { path, bytes } of files) {
          transaction.objectStore('entries').put({ size: bytes.length, modifiedAt: Date.now() }, path);
          transaction.objectStore('contents').put(bytes, path);
        }
        transaction.addEventListener('complete', () => resolve());
        transaction.addEventListener('abort', () => reject(transaction.error));
        transaction.commit();
      }),
    read: (path) => done(database.transaction('contents').objectStore('contents').get(path)) as Promise<Uint8Array>,
    list: async (path) => (await below('entries', path))[0].map((key) => String(key).slice(path.length + 1)),
    async search(path, text) {
      const [[keys, all], decoder] = [await below('contents', path), new TextDecoder()];
      return keys.map(String).filter((_, index) => decoder.decode(all[index]).includes(text));
    },
    close: async () => database.close(),
  };
}
const done = <Result>(request: IDBRequest<Result>) =>
  new Promise<Result>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
