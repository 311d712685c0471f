// One thread across all vendors and back, over the official SDKs and local servers that reject the same requests as the vendors.
import type { Message } from '@utensil/core';
import { arrangeHistory } from '@utensil/core/provider';
import { user } from '@utensil/tooling-loopback/continuity';
import { describe, expect, it } from 'vitest';
import { describeCell } from './test-kit/continuity/compare.ts';
import { ask, beginThread, call, lastTurn, thinkingTurn } from './test-kit/continuity/thread.ts';
import { type Vendor, serve, stateOf, vendors } from './test-kit/continuity/vendors.ts';

const threads = new Map<Vendor, Promise<readonly Message[]>>();

/** The thread of a vendor, begun once. */
function threadOf(vendor: Vendor): Promise<readonly Message[]> {
  const thread = threads.get(vendor) ?? beginThread(vendor);
  threads.set(vendor, thread);
  return thread;
}

/** Continues the thread of one vendor with another. Returns the messages and the request. */
async function goOn(from: Vendor, to: Vendor): Promise<{ messages: readonly Message[]; body: unknown }> {
  const messages = [...(await threadOf(from)), user('Go on.')];
  await using server = await serve(to, lastTurn(to));
  const { text } = await ask(to.make(server.url), 'And?', { messages });
  expect(text).toBe(`Done by ${to.name}.`);
  return { messages, body: server.requests.at(-1)?.json() };
}

const arrived = ['content of a', 'There is no such file.', 'content of b', 'no result'];

function titleFor({ native }: Vendor): string {
  const title = 'sends a tool of the vendor unchanged';
  return typeof native === 'string' ? `leaves out '${title}': ${native}` : title;
}

describe.each(vendors)('$name', (vendor) => {
  it('continues a thread of every other vendor, and its own', async () => {
    for (const from of vendors) {
      const seen = JSON.stringify((await goOn(from, vendor)).body);
      const missing = [`Done by ${from.name}.`, ...arrived].filter((said) => !seen.includes(said));
      const hasState = seen.includes(stateOf(from));
      expect({ from: from.name, missing, hasState }).toEqual({
        from: from.name,
        missing: [],
        hasState: from === vendor && from.hasState,
      });
    }
  });

  it.each([titleFor(vendor)])('%s', async () => {
    const { native } = vendor;
    await using server = await serve(vendor, lastTurn(vendor));
    const definition = typeof native === 'string' ? { type: 'built_in' } : native;
    const request = { system: '', messages: [user('Hello.')], toolChoice: 'auto' } as const;
    const model = vendor.make(server.url);
    const stream = model.stream(
      { ...request, tools: [{ type: 'native', name: 'memory', definition }] },
      { signal: new AbortController().signal },
    );
    const read = async (): Promise<boolean> => {
      for await (const { type } of stream) if (type === 'finish') return true;
      return false;
    };
    expect(await read()).toBe(true);
    const { tools = [] } = server.requests.map((request) => request.json() as { tools?: readonly unknown[] })[0] ?? {};
    expect(tools).toMatchObject(typeof native === 'string' ? [] : [definition]);
  });
});

it.each(vendors)('what $name began arrives as its golden file says', async (from) => {
  const cells: string[] = [`# What others are sent of a thread of ${from.name}\n`];
  for (const to of vendors) cells.push(describeCell({ from, to, ...(await goOn(from, to)) }));
  await expect(cells.join('\n')).toMatchFileSnapshot(`continuity/golden/${from.name}.md`);
});

it.each(vendors)(
  'a thread that $name began returns to it from every other vendor, with its provider data',
  async (first) => {
    const looks = (vendor: Vendor) => [
      thinkingTurn(vendor, call('read', { path: 'a' }), call('read', { path: 'none' })),
      lastTurn(vendor),
    ];
    await using own = await serve(first, ...looks(first));
    for (const second of vendors.filter((each) => each !== first)) {
      await using other = await serve(second, ...looks(second));
      const begun = await ask(first.make(own.url), 'Begin.');
      const continued = await ask(second.make(other.url), 'Go on.', { messages: begun.messages });
      const { messages } = await ask(first.make(own.url), 'And back.', { messages: continued.messages });
      expect(arrangeHistory(messages)).toEqual(messages);
      const back = own.requests.at(-1)?.body ?? '';
      expect(back).toContain(`Done by ${second.name}.`);
      expect(back.includes(stateOf(first))).toBe(first.hasState);
      expect(back).not.toContain(stateOf(second));
    }
  },
);
