import type { Page } from 'playwright';

/**
 * Stored data of a page, as text: every database with its keys and contents, and both kinds of web storage.
 */
export async function allStored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const settled = <Result>(request: IDBRequest<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error('It cannot be read.')));
      });
    const readable = async (value: unknown): Promise<unknown> => {
      if (value instanceof Blob) return value.text();
      if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return new TextDecoder().decode(value);
      if (value instanceof CryptoKey) return `CryptoKey, extractable: ${value.extractable}`;
      if (Array.isArray(value)) return Promise.all(value.map(readable));
      if (typeof value !== 'object' || value === null) return String(value);
      const entries = Object.entries(value).map(async ([key, part]): Promise<unknown> => [key, await readable(part)]);
      return Promise.all(entries);
    };
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        const [keys, values] = await Promise.all([settled(objects.getAllKeys()), settled(objects.getAll())]);
        found.push([name, store, await readable(keys), await readable(values)]);
      }
      database.close();
    }
    return JSON.stringify(found);
  });
}
