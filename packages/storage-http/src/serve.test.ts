// Hostile requests to the handler itself, without a network.

import { isObject, isUtensilError } from '@utensil/core';
import { resolvePath } from '@utensil/core/files';
import { comparePaths } from '@utensil/core/storage';
import type { StorageDriver } from '@utensil/core/storage';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { commitType, joinBytes } from './protocol.ts';
import { bearerTokens, serveStorage } from './server.ts';
import type { ServeOptions } from './server.ts';

const token = 'the-token-of-the-writer';
const authorize = bearerTokens([{ token, namespaces: ['mine'], canWrite: true }]);
const base = 'https://example.com/any/where/v1';

type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** A server with our storage and one of another user. */
function serve(options: Partial<ServeOptions> = {}) {
  const state = memoryState();
  const asked = new Set<string>();
  const [mine, theirs] = ['mine', 'theirs'].map((namespace) => memoryStorage({ state, namespace }));
  const storageOf = (namespace: string): StorageDriver | undefined => {
    asked.add(namespace);
    return namespace === 'mine' ? mine : namespace === 'theirs' ? theirs : undefined;
  };
  const handle = serveStorage(storageOf, { authorize, ...options });
  const ask = (path: string, { headers, ...init }: Init = {}): Promise<Response> =>
    handle(new Request(`${base}/${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...headers } }));
  return { handle, ask, asked, mine: mine as StorageDriver, theirs: theirs as StorageDriver };
}

let keys = 0;

function commitInit(head: unknown, contents: Uint8Array = new Uint8Array()): Init {
  const line = typeof head === 'string' ? head : JSON.stringify(head);
  const headers = { 'content-type': commitType, 'idempotency-key': `key-of-a-commit-${++keys}` };
  return { method: 'POST', headers, body: joinBytes([new TextEncoder().encode(`${line}\n`), contents]) };
}

const json = (value: unknown): Init => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

async function pathsIn(driver: StorageDriver): Promise<readonly string[]> {
  const trees = (['files', 'records'] as const).map((tree) => driver.list({ tree, path: '/', depth: 99, limit: 9999 }));
  return (await Promise.all(trees)).flat().map(({ path }) => path);
}

/** Asserts that a response leaves nothing open, broke nothing, and reveals nothing about the host. */
async function expectSafe(response: Response): Promise<void> {
  const text = await response.text();
  expect([response.status < 500, response.status, text]).toEqual([true, response.status, text]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(text).not.toMatch(/the-token-of|node_modules|\.ts\b|\bat \w+ \(/);
  expect(saysWhat(text)).toBe(response.status >= 400);
}

/** True if a response is an error in our format, or a conflict. */
function saysWhat(text: string): boolean {
  const body: unknown = text.startsWith('{') ? JSON.parse(text) : {};
  return isObject(body) && (body['ok'] === false || ('code' in body && 'message' in body && 'path' in body));
}

const hostileTexts = [
  '',
  '/',
  'a',
  '.',
  '..',
  '../a',
  '/..',
  '/../../etc/passwd',
  '/a/../b',
  '/a/./b',
  '/a/',
  '//a',
  '/a//b',
  '/a\\b',
  '/a\0b',
  '/a\nb',
  '/%2e%2e/a',
  '/e\u0301',
  '/\u202ea',
  '/\ud800',
  `/${'x'.repeat(256)}`,
  '/a'.repeat(33),
  '/'.repeat(9000),
  '__proto__',
  '/__proto__',
  'constructor',
  'files',
  'records',
  'write',
  'mine',
  'theirs',
  'all',
];
const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary' }), fc.constant('/fine'));
const value = fc.oneof(
  text,
  fc.constantFrom(null, true, -1, 0, 1, 0.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}),
  fc.jsonValue(),
);
const key = fc.record({ tree: fc.oneof(fc.constant('files'), value), path: fc.oneof(text, value) });
const member = fc.oneof(fc.constantFrom('tree', 'path', 'to', 'size', 'recursive', '__proto__', 'constructor'), text);
const change = fc
  .tuple(
    fc.constantFrom('write', 'make-directory', 'remove', 'move', '__proto__', 'toString'),
    key,
    fc.oneof(key, value),
    fc.oneof(fc.nat(20), value),
    fc.option(fc.oneof(key, value), { nil: undefined }),
    fc.dictionary(member, value, { maxKeys: 1 }),
  )
  .map(([type, at, to, size, like, extra]) => ({
    type,
    ...at,
    ...(type === 'move' ? { to } : type === 'write' ? { size, ...(like !== undefined && { like }) } : {}),
    ...extra,
  }));
const expectation = fc.tuple(key, fc.oneof(fc.constant(null), value)).map(([at, etag]) => ({ ...at, etag }));
const head = fc.record({
  expect: fc.oneof({ weight: 9, arbitrary: fc.array(expectation, { maxLength: 2 }) }, value),
  changes: fc.oneof({ weight: 9, arbitrary: fc.array(change, { maxLength: 4 }) }, value),
  time: fc.oneof({ weight: 9, arbitrary: fc.nat() }, value),
});

describe('serveStorage', () => {
  it('refuses to start if nobody says who may do what', () => {
    const open = (options: unknown) => () => serveStorage(memoryStorage(), options as ServeOptions);
    for (const options of [{}, { authorize: undefined }, { authorize: 'everybody' }])
      expect(open(options)).toThrow('EINVAL: invalid argument');
    expect(() => bearerTokens([])).toThrow('At least one token');
    expect(() => bearerTokens([{ token: '' }])).toThrow('At least one token');
    expect(() => bearerTokens([{ token: 'short' }])).toThrow(/^(?!.*short)/);
    const missing = undefined as unknown as string;
    for (const token of [missing, 'a token with its spaces', 'a-token-of-ünicode'])
      expect(() => bearerTokens([{ token }])).toThrow('At least one token');
  });

  it.each(['stat', 'list', 'read', 'commit', 'watch'])('answers %s to nobody without a token', async (endpoint) => {
    const { handle, asked } = serve();
    const method = ['stat', 'commit'].includes(endpoint) ? 'POST' : 'GET';
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      'Basic YTpi',
      token,
      `Bearer ${token}x`,
      `Bearer ${token} x`,
    ]) {
      const request = new Request(`${base}/${endpoint}?namespace=mine&tree=files&path=/`, {
        method,
        headers: { authorization },
      });
      const response = await handle(request);
      expect([response.status, await response.text()]).toEqual([401, '']);
    }
    expect(asked.size).toBe(0);
  });

  it('does nothing if authorize fails, or says nothing', async () => {
    const answers = [
      () => Promise.reject(new Error('/home/secret')),
      () => undefined,
      () => null,
      () => 'yes',
      () => ({}),
    ];
    for (const authorize of answers) {
      const { ask, asked } = serve({ authorize: authorize as unknown as ServeOptions['authorize'] });
      const response = await ask('list?namespace=mine&tree=files&path=/&depth=1&limit=1');
      expect([response.status >= 400, asked.size]).toEqual([true, 0]);
      expect(await response.text()).not.toMatch(/secret/);
    }
  });

  it('answers no other address, and no other method', async () => {
    const { ask, asked } = serve();
    for (const path of ['', 'stats', 'stat/', 'Stat', '../v2/stat', 'stat/../../v1', '%73tat'])
      expect((await ask(path)).status).toBe(404);
    for (const path of ['stat', 'commit']) expect((await ask(path)).headers.get('allow')).toBe('POST');
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])
      expect((await ask('read?namespace=mine', { method })).status).toBe(405);
    expect(asked.size).toBe(0);
  });

  it('never breaks and never leaves the namespace, whatever a commit says', async () => {
    const { ask, asked, mine, theirs } = serve();
    let made = 0;
    const commits = fc.asyncProperty(head, fc.uint8Array({ maxLength: 40 }), async (sent, contents) => {
      const response = await ask('commit?namespace=mine', commitInit(sent, contents));
      if (response.status === 200) made++;
      await expectSafe(response);
    });
    await fc.assert(commits, { numRuns: inject('isLong') ? 5000 : 500 });
    const writes = fc.asyncProperty(text, async (path) => {
      const change = { type: 'write', tree: 'files', path, size: 1 };
      const sent = { expect: [], changes: [change], time: 0 };
      const response = await ask('commit?namespace=mine', commitInit(sent, Uint8Array.of(1)));
      if (response.status === 200) made++;
      await expectSafe(response);
    });
    await fc.assert(writes, { numRuns: 300 });
    const paths = await pathsIn(mine);
    expect(paths.filter((path) => resolvePath(path) !== path)).toEqual([]);
    expect([made > 0, paths.length > 0, await pathsIn(theirs)]).toEqual([true, true, []]);
    expect([...asked]).toEqual(['mine']);
    expect(({} as Record<string, unknown>)['tree']).toBeUndefined();
  });

  it('never breaks and never leaves the namespace, whatever is read', async () => {
    const { ask, asked, theirs } = serve();
    await theirs.commit({ expect: [], changes: [{ type: 'make-directory', tree: 'files', path: '/theirs' }], time: 0 });
    const query = fc.record({
      namespace: fc.oneof(fc.constant('mine'), text),
      tree: fc.oneof(fc.constant('files'), text),
      path: text,
      depth: fc.oneof(fc.constantFrom('1', '99', '0', '-1', '1e9', 'Infinity', '9'.repeat(30)), text),
      limit: fc.oneof(fc.constantFrom('1', '99', '0', '1.5', '99999999'), text),
      after: text,
    });
    const range = fc.constantFrom(
      'bytes=0-',
      'bytes=5-2',
      'bytes=-1',
      'bytes=0-1,3-4',
      `bytes=0-${'9'.repeat(40)}`,
      'x',
    );
    const reads = fc.asyncProperty(query, fc.constantFrom('list', 'read'), range, async (asked, endpoint, range) => {
      const search = new URLSearchParams(asked);
      const response = await ask(`${endpoint}?${String(search)}`, { headers: { range } });
      expect(await response.clone().text()).not.toContain('"/theirs"');
      await expectSafe(response);
    });
    await fc.assert(reads, { numRuns: inject('isLong') ? 3000 : 300 });
    const stats = fc.asyncProperty(fc.oneof(fc.record({ keys: fc.array(key) }), value), async (sent) =>
      expectSafe(await ask('stat?namespace=mine', json(sent))),
    );
    await fc.assert(stats, { numRuns: 500 });
    expect([...asked]).toEqual(['mine']);
  });

  it('never breaks, whatever the bytes are', async () => {
    const { ask } = serve();
    const bodies = fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (body, isCommit) => {
      const [path, type] = isCommit ? ['commit', commitType] : ['stat', 'application/json'];
      const headers = { 'content-type': type, 'idempotency-key': 'a-key-that-is-one' };
      const bytes = new Uint8Array(body);
      await expectSafe(await ask(`${path}?namespace=mine`, { method: 'POST', headers, body: bytes }));
    });
    await expect(fc.assert(bodies, { numRuns: 500 })).resolves.toBeUndefined();
    for (const body of ['[', `${'['.repeat(100_000)}\n`, '"\ud800"', '{"keys":1}', 'null', '{"__proto__":{"keys":[]}}'])
      await expectSafe(await ask('stat?namespace=mine', { ...json(1), body }));
  });

  it.each([
    [
      'a commit without a key',
      { ...commitInit({ expect: [], changes: [], time: 0 }), headers: { 'content-type': commitType } },
    ],
    [
      'a commit of another type',
      {
        ...commitInit({ expect: [], changes: [], time: 0 }),
        headers: { 'content-type': 'text/plain', 'idempotency-key': 'a-key-that-is-one' },
      },
    ],
    ['members that the protocol has not', commitInit({ expect: [], changes: [], time: 0, force: true })],
    [
      'a size that is missing',
      commitInit({ expect: [], changes: [{ type: 'write', tree: 'files', path: '/a' }], time: 0 }),
    ],
    ['more content than its sizes', commitInit({ expect: [], changes: [], time: 0 }, Uint8Array.of(1))],
    [
      'less content than its sizes',
      commitInit({ expect: [], changes: [{ type: 'write', tree: 'files', path: '/a', size: 9 }], time: 0 }),
    ],
    ...['/a', null, [], {}, { tree: 'files' }, { tree: 'theirs', path: '/a' }, { tree: 'files', path: '/../a' }].map(
      (like): [string, Init] => [
        `a file like ${JSON.stringify(like)}`,
        commitInit({
          expect: [],
          changes: [{ type: 'write', tree: 'files', path: '/a', size: 0, like }],
          time: 0,
        }),
      ],
    ),
    ['a time that is no time', commitInit('{"expect":[],"changes":[],"time":1e999}')],
    [
      'too many changes',
      commitInit({
        expect: [],
        changes: Array.from({ length: 11 }, (_, index) => ({
          type: 'make-directory',
          tree: 'files',
          path: `/${index}`,
        })),
        time: 0,
      }),
    ],
    [
      'what is neither durable nor not',
      commitInit({
        expect: [],
        changes: [{ type: 'make-directory', tree: 'files', path: '/a' }],
        time: 0,
        durable: 'yes',
      }),
    ],
    ['content without JSON before it', { ...commitInit(''), body: 'x' }],
  ])('refuses %s', async (_, init) => {
    const { ask, mine } = serve({ maxChanges: 10 });
    const response = await ask('commit?namespace=mine', init);
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ code: 'EINVAL' })]);
    expect(await pathsIn(mine)).toEqual([]);
  });

  it('makes nothing like a record for who may not reach the records', async () => {
    const like = { tree: 'records', path: '/settings.json' };
    const change = { type: 'write', tree: 'files', path: '/a', size: 0, like };
    const { ask, mine } = serve();
    const response = await ask('commit?namespace=mine', commitInit({ expect: [], changes: [change], time: 0 }));
    expect([response.status, await response.json()]).toEqual([403, expect.objectContaining({ code: 'EACCES' })]);
    expect(await pathsIn(mine)).toEqual([]);
  });

  it('sends what is stored as bytes that no browser runs', async () => {
    const { ask, mine } = serve();
    const content = new TextEncoder().encode('<script>alert(1)</script>');
    await mine.commit({ expect: [], changes: [{ type: 'write', tree: 'files', path: '/a.html', content }], time: 7 });
    const response = await ask('read?namespace=mine&tree=files&path=/a.html', { headers: { range: 'bytes=1-6' } });
    expect([response.status, await response.text()]).toEqual([206, 'script']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-range': 'bytes 1-6/25',
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'utensil-size': '25',
      'utensil-modified-at': '7',
      etag: expect.stringMatching(/^".+"$/),
    });
    const past = await ask('read?namespace=mine&tree=files&path=/a.html', { headers: { range: 'bytes=25-' } });
    expect([past.status, past.headers.get('content-range')]).toEqual([416, 'bytes */25']);
  });

  it('lets pages of other origins in only if told to', async () => {
    const asking = { headers: { origin: 'https://app.example' } };
    const preflight = { method: 'OPTIONS', ...asking };
    const closed = serve();
    expect((await closed.ask('commit?namespace=mine', preflight)).status).toBe(405);
    const plain = await closed.ask('list?namespace=mine&tree=files&path=/&depth=1&limit=1', asking);
    expect([...plain.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    const { handle, ask } = serve({ origins: ['https://app.example'] });
    const allowed = await handle(new Request(`${base}/commit`, preflight)); // a browser sends no token with it
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.example']);
    expect(allowed.headers.get('access-control-allow-headers')).toContain('idempotency-key');
    const other = await ask('list?namespace=mine', { headers: { origin: 'https://app.example.evil' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    const none = await handle(new Request(`${base}/commit`, { method: 'OPTIONS' }));
    expect(none.status).toBe(405);
  });

  it('makes a commit once, however often and however fast it is sent', async () => {
    const { ask, mine } = serve();
    const change = { type: 'write', tree: 'files', path: '/a', size: 1 };
    const init = commitInit({ expect: [], changes: [change], time: 0 }, Uint8Array.of(1));
    const [first, ...others] = await Promise.all(
      Array.from({ length: 20 }, async () => (await ask('commit?namespace=mine', init)).text()),
    );
    expect(others.every((each) => each === first)).toBe(true);
    const [entry] = await mine.stat([{ tree: 'files', path: '/a' }]);
    expect(JSON.parse(first ?? '')).toEqual({ ok: true, entries: [entry] });
  });

  it('makes no commit again that may have been forgotten', async () => {
    const { ask, mine } = serve({ rememberedCommits: 2 });
    const send = (path: string, mark?: string | null) => {
      const init = commitInit({ expect: [], changes: [{ type: 'make-directory', tree: 'files', path }], time: 0 });
      const headers = { ...init.headers, ...(mark === undefined ? {} : { 'utensil-mark': mark ?? '' }) };
      return ask('commit?namespace=mine', { ...init, headers });
    };
    const mark = (await send('/a')).headers.get('utensil-mark');
    expect((await send('/b', mark)).status).toBe(200); // nothing after the mark has been forgotten
    for (const path of ['/c', '/d', '/e']) await send(path);
    for (const unknown of [mark, 'other.99', '', `${mark?.split('.')[0]}.x`, `${mark?.split('.')[0]}.-1`]) {
      const response = await send('/f', unknown);
      expect([response.status, await response.json()]).toMatchObject([412, { code: 'EIO' }]);
    }
    expect((await pathsIn(mine)).toSorted(comparePaths)).toEqual(['/a', '/b', '/c', '/d', '/e']);
  });

  it('tells who reads slowly of all at last, and keeps little until then', async () => {
    const { ask, mine } = serve();
    const response = await ask('watch?namespace=mine');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('{"type":"open","heartbeatMs":15000}\n');
    const make = (path: string) =>
      mine.commit({ expect: [], changes: [{ type: 'make-directory', tree: 'files', path }], time: 0 });
    for (let index = 0; index < 3000; index++) await make(`/${index}`);
    let told = '';
    while (!told.includes('/last')) {
      told += (await reader?.read())?.value ?? '';
      if (told.includes('"/"')) await make('/last');
    }
    expect(told.length).toBeLessThan(1000);
    await reader?.cancel();
  });

  it('lets no more watch than it has room for', async () => {
    const { ask } = serve({ maxWatchers: 2 });
    const watching = [await ask('watch?namespace=mine'), await ask('watch?namespace=mine')];
    const refused = await ask('watch?namespace=mine');
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'EBUSY', retryable: true }]);
    await watching[0]?.body?.cancel();
    const next = await ask('watch?namespace=mine');
    expect(next.status).toBe(200);
    await watching[1]?.body?.cancel();
    await next.body?.cancel();
  });

  it('says in our words what it refuses', async () => {
    const { ask } = serve();
    const response = await ask('read?namespace=mine&tree=files&path=/a/../b');
    const error: unknown = await response.json();
    expect(error).toEqual({
      code: 'EINVAL',
      message: "EINVAL: invalid argument, '/a/../b'. A path must be normalized: '/b'.",
      path: '/a/../b',
    });
    expect(isUtensilError(error)).toBe(false);
  });
});
