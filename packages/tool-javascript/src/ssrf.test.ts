// Scripts with fetch try to reach a server on this machine, which must receive no request.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFiles, runTool } from '@utensil/core';
import { guardedFetch } from '@utensil/guarded-fetch/node';
import type { NodeGuardOptions } from '@utensil/guarded-fetch/node';
import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
import { memoryStorage } from '@utensil/storage-memory';
import { loopback } from '@utensil/tooling-loopback';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { filled, loopbackForms, otherForms, redirectTargets } from '../../../tooling/fixtures/attacks/addresses.ts';
import { javascriptToolWithFetch } from './javascript.ts';

const worker = new URL(inject('sandboxWorker'));

let connections = 0;
let port = '';
/** Listens on all local addresses and counts requests. */
const canary = createServer((_, response) => response.end('the secret'));
canary.on('connection', () => connections++);
beforeAll(async () => {
  await new Promise<void>((resolve) => canary.listen(0, resolve));
  port = String((canary.address() as AddressInfo).port);
});
afterAll(() => {
  canary.closeAllConnections();
  canary.close();
});
afterEach(() => void (connections = 0));

const sandbox = quickjsSandbox({ worker, maxWorkers: 1 });
afterAll(() => sandbox.close());

const files = createFiles(memoryStorage());
const here = (address: string): string => filled(address, { port, any: port });
const resolve = async (name: string): Promise<string[]> => [name.startsWith('private') ? '127.0.0.1' : '93.184.215.14'];

/** Results of a script that fetches these addresses: the text or the error code. */
async function fetchAll(addresses: readonly string[], guard: NodeGuardOptions = {}): Promise<readonly string[]> {
  const host = { files, sandbox, fetch: guardedFetch({ resolve, ...guard }) };
  const code = `const found = [];
    for (const address of ${JSON.stringify(addresses.map(here))})
      found.push(await fetch(address).then((response) => response.text(), (error) => error.code ?? error.message));
    return found`;
  const { output, isError } = await runTool(javascriptToolWithFetch, { code }, { host });
  expect([isError, output]).toEqual([false, expect.any(String)]);
  return JSON.parse(String(output)) as string[];
}

describe('a script that may fetch', () => {
  it('reaches no private address, however it is written', async () => {
    const found = await fetchAll([...loopbackForms, ...otherForms]);
    expect([...loopbackForms, ...otherForms].filter((_, index) => found[index] !== 'fetch_blocked')).toEqual([]);
    expect([found.length, connections]).toEqual([loopbackForms.length + otherForms.length, 0]);
  });

  it('would have reached it, if the app allows it', async () => {
    const found = await fetchAll(loopbackForms, { allowPrivate: [`127.0.0.1:${port}`] });
    expect(new Set(found)).toEqual(new Set(['the secret']));
    expect(connections).toBe(loopbackForms.length);
  });

  it('reaches none by a redirect, or by a name that means something else a moment later', async () => {
    const server = await loopback(({ path }) => ({
      status: 302,
      headers: { location: here(redirectTargets[Number(path.slice(1))] ?? '') },
    }));
    const redirects = redirectTargets.map((_, index) => `${server.url}/${index}`);
    const found = await fetchAll(redirects, { allowPrivate: [new URL(server.url).host] });
    expect(new Set(found)).toEqual(new Set(['fetch_blocked']));
    const answers = [['192.0.2.1'], ['127.0.0.1']];
    const changing = { resolve: async () => answers.shift() ?? [], headersTimeoutMs: 300 };
    const [rebound] = await fetchAll(['http://rebound.example:PORT/'], {
      ...changing,
      allowPrivate: ['rebound.example'],
    });
    expect(rebound).toMatch(/^fetch_(?:failed|timeout)$/);
    expect([connections, answers.length, server.requests.length]).toEqual([0, 1, redirectTargets.length]);
    await server.close();
  });
});
