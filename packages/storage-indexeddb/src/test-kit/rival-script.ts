// A tab or a service worker that wants the thread in a database. Bundled and opened by races.test.ts.
import { createRecords, openThread } from '@utensil/core';
import type { Holder } from '@utensil/core';
import { createRival } from '@utensil/tooling-rivals/rival';
import type { Order } from '@utensil/tooling-rivals/rival';
import { indexeddbStorage } from '../indexeddb.ts';

/** Commands and reports go through the channel named in the URL. A lock of that name is held until this writer ends. */
export function startRival(): void {
  const { searchParams } = new URL(location.href);
  const name = searchParams.get('rival') ?? '';
  const channel = new BroadcastChannel(name);
  const records = createRecords(indexeddbStorage({ database: searchParams.get('database') ?? '' }));
  const thread = openThread(records, 'race', { holder: lockHolder(name) });
  const order = createRival(thread, (report) => channel.postMessage(report));
  channel.addEventListener('message', ({ data }: MessageEvent<Order>) => order(data));
  void navigator.locks.request(name, () => {
    channel.postMessage({ event: 'ready' });
    return new Promise(() => {});
  });
}

function lockHolder(name: string): Holder {
  return {
    id: () => name,
    async isAlive(id) {
      const { held = [] } = await navigator.locks.query();
      return held.some((lock) => lock.name === id);
    },
  };
}
