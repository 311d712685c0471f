import type { Page } from 'playwright';

/** Damages what is stored under a path: it is no text any more, as after a fault of a disk. Other tabs are not told. */
export async function damage(page: Page, path: RegExp): Promise<void> {
  const count = await page.evaluate(async (source) => {
    const settled = <Result>(request: IDBRequest<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error('It cannot be read.')));
      });
    const database = await settled(indexedDB.open('utensil-web-demo'));
    const transaction = database.transaction(['entries', 'contents'], 'readwrite');
    const [entries, contents] = [transaction.objectStore('entries'), transaction.objectStore('contents')];
    let count = 0;
    for (const key of await settled(entries.getAllKeys())) {
      const [place = '', about = ''] = String(key).split('\0\0');
      const etag = about.split(' ').at(-1) ?? '';
      if (!new RegExp(source).test(place.replaceAll('\0', '/'))) continue;
      for (const piece of await settled(contents.getAllKeys(IDBKeyRange.bound([etag], [etag, []])))) {
        const { length }: Uint8Array = await settled(contents.get(piece));
        await settled(contents.put(new Uint8Array(length).fill(0xff), piece));
        count++;
      }
    }
    database.close();
    return count;
  }, path.source);
  if (count !== 1) throw new Error(`${count} contents at ${path} were damaged.`);
}
