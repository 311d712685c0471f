import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isFetchFailure } from './fetch-failure.ts';

const thrownBy = (work: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (error: unknown) => error,
    );

/** A server that never answers. */
async function silentServer(): Promise<{ readonly url: string; close(): Promise<unknown> }> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

describe('isFetchFailure', () => {
  it.each([
    ['Node.js', 'fetch failed'],
    ['Chromium', 'Failed to fetch'],
    ['Chromium, with the host', 'Failed to fetch (api.example.com)'],
    ['Chromium, in a body', 'network error'],
    ['Firefox', 'NetworkError when attempting to fetch resource.'],
    ['Safari', 'Load failed'],
    ['Safari, with the host', 'Load failed (api.example.com)'],
    ['Deno', 'error sending request for url (https://api.example.com/): connection refused'],
    ['React Native', 'Network request failed'],
  ])('knows the words of %s', (_, message) => {
    expect(isFetchFailure(new TypeError(message))).toBe(true);
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_SOCKET'])(
    'knows another client by its code, or by that of the cause: %s',
    (code) => {
      const error = Object.assign(new Error('no socket'), { code });
      expect(isFetchFailure(error)).toBe(true);
      expect(isFetchFailure(new Error('The proxy failed.', { cause: error }))).toBe(true);
    },
  );

  it('recognizes a refused connection and a timeout of this platform', async () => {
    const { url, close } = await silentServer();
    expect(isFetchFailure(await thrownBy(() => fetch(url, { signal: AbortSignal.timeout(20) })))).toBe(true);
    await close();
    expect(isFetchFailure(await thrownBy(() => fetch(url)))).toBe(true);
  });

  const absent = undefined as unknown as { readonly id: string };
  it.each([
    ['an absent member', () => absent.id],
    ['a value that is no function', () => (absent as unknown as () => void)()],
    ['an invalid URL', () => fetch('no address')],
    ['an invalid header', () => fetch('http://127.0.0.1:9', { headers: { 'x-key': '€' } })],
    ['a URL with a password', () => fetch('http://user:secret@127.0.0.1:9')],
    ['JSON of a bigint', () => JSON.stringify(Object.assign([], { toJSON: () => 1n }))],
    [
      'a module that does not load',
      () => {
        throw new TypeError('Failed to fetch dynamically imported module: http://127.0.0.1/a.js');
      },
    ],
  ])('does not take a mistake for a failed fetch: %s', async (_, work) => {
    const thrown = await thrownBy(work);
    expect(thrown).toBeInstanceOf(TypeError);
    expect(isFetchFailure(thrown)).toBe(false);
  });

  const absentFile = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  it.each([new Error('fetch failed'), absentFile, 'fetch failed', undefined])(
    'needs an error of fetch, not %o',
    (thrown) => {
      expect(isFetchFailure(thrown)).toBe(false);
    },
  );
});
