// Real servers of node:http on this machine, and the real fetch.

import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createFiles, createRecords, isUtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { checkFiles, recordSuite, storageSuite, threadSuite } from '@utensil/core/testing';
import type { StorageBackend } from '@utensil/core/testing';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { httpStorage } from './http.ts';
import type { HttpStorageOptions } from './connection.ts';
import { nodeListener } from './node.ts';
import { bearerTokens, serveStorage } from './server.ts';
import type { ServeOptions, StorageOf } from './server.ts';

const token = 'the-token-of-the-writer';

const everything = { token, namespaces: 'all', canWrite: true, records: true } as const;
const authorize = bearerTokens([
  everything,
  { token: 'the-token-of-the-reader', namespaces: 'all' },
  { token: 'the-token-of-one-project', namespaces: ['project'], canWrite: true },
]);

const leave: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of leave.splice(0).toReversed()) await end();
});

interface Server {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

async function listen(
  listener: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown,
  port = 0,
): Promise<Server> {
  const server = createServer(listener);
  await vi.waitFor(
    async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    { timeout: 100_000 }, // a port that was free a moment ago may be somebody's connection by now
  );
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  leave.push(close);
  const address = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${address.port}/storage`, port: address.port, close };
}

function serve(storage: StorageDriver | StorageOf, options: Partial<ServeOptions> = {}, port = 0): Promise<Server> {
  return listen(nodeListener(serveStorage(storage, { authorize, ...options })), port);
}

function open(server: Server, options: Partial<HttpStorageOptions> = {}): StorageDriver {
  const driver = httpStorage({ url: server.url, token, ...options });
  leave.push(() => driver.close());
  return driver;
}

/** A server, and the storage behind it. */
async function serveOne(options: Partial<ServeOptions> = {}): Promise<readonly [Server, StorageDriver]> {
  const storage = memoryStorage();
  return [await serve(storage, options), storage];
}

/** One storage for each namespace, as a server keeps them. */
function memories(): StorageOf {
  const state = memoryState();
  return (namespace) => memoryStorage({ state, namespace });
}

function write(path: string, content: Uint8Array | string = 'x'): StorageChange {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { type: 'write', tree: 'files', path, content: bytes };
}

const commit = (driver: StorageDriver, ...changes: StorageChange[]) => driver.commit({ expect: [], changes, time: 1 });

/** Message of a failing call, which must not contain the token. */
async function failureOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'nothing',
    (error: unknown) => {
      if (!isUtensilError(error)) throw error;
      expect(`${error.message} ${String(error.stack)} ${String(error.cause)}`).not.toMatch(/the-token-of/);
      return error.message;
    },
  );
}

describe('httpStorage', () => {
  const make = async (): Promise<StorageBackend> => {
    const server = await serve(memories());
    return { open: async (namespace) => httpStorage({ url: server.url, token, namespace }), destroy: server.close };
  };
  storageSuite({ test }, make);
  recordSuite({ test }, make);
  threadSuite({ test }, make);

  it('[S0-28] does over HTTP with random work what a plain map would', async () => {
    const server = await serve(memories());
    let namespaces = 0;
    const seeds = fc.asyncProperty(fc.nat(), (seed) =>
      checkFiles(createFiles(open(server, { namespace: `${++namespaces}` })), { seed, steps: 20 }),
    );
    await expect(fc.assert(seeds, { numRuns: 15 })).resolves.toBeUndefined();
  });

  it('hands a durable commit on as one', async () => {
    const storage = memoryStorage();
    const asked: (boolean | undefined)[] = [];
    const server = await serve({
      ...storage,
      commit(given) {
        asked.push(given.durable);
        return storage.commit(given);
      },
    });
    const driver = open(server);
    const changes = [write('/a')];
    for (const durable of [true, false]) await driver.commit({ expect: [], changes, time: 1, durable });
    await driver.commit({ expect: [], changes, time: 1 });
    expect(asked).toEqual([true, undefined, undefined]);
  });

  it('keeps namespaces apart, whatever their names', async () => {
    const server = await serve(memories());
    const names = ['', 'a', 'a/b', '..', '../a', '%2e%2e', 'a&tree=records', 'a#b', '?', '\x01', '__proto__', 'ü'];
    for (const namespace of names) await createFiles(open(server, { namespace })).write('/a', namespace);
    for (const namespace of names)
      expect((await createFiles(open(server, { namespace })).readText('/a')).text).toBe(namespace);
  });

  it.each(['not an address', 'file:///tmp', 'https://user:secret@example.com', 'https://example.com/?token=secret'])(
    'refuses %s as the url of a server, without repeating it',
    (url) => {
      expect(() => httpStorage({ url })).toThrow(/^EINVAL: invalid argument, '\/'\. The server URL/);
    },
  );

  it.each(['a token\nof two lines', 'ümlaut', ''])('refuses the token %j, without repeating it', (token) => {
    expect(() => httpStorage({ url: 'https://example.com', token })).toThrow(
      "EACCES: permission denied, '/'. A token must be ASCII without spaces.",
    );
  });
});

describe('large contents and long listings', () => {
  it('carries 50 MB, and reads a part without the rest', async () => {
    const server = await serve(memoryStorage());
    const sizes: number[] = [];
    const driver = open(server, {
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (response.headers.has('content-range')) sizes.push(Number(response.headers.get('content-length')));
        return response;
      },
    });
    const content = new Uint8Array(50 * 1024 * 1024 + 3);
    for (let at = 0; at < content.length; at++) content[at] = (at * 31) % 251;
    await commit(driver, write('/large', content));
    const key = { tree: 'files', path: '/large' } as const;
    const all = await driver.read(key);
    expect(all?.content.length === content.length && Buffer.compare(all.content, content) === 0).toBe(true);
    for (const [start, end] of [
      [0, 3],
      [1_000_000, 1_000_010],
      [content.length - 2, content.length + 9],
      [content.length - 2, Infinity],
    ] as const)
      expect((await driver.read(key, { start, end }))?.content).toEqual(content.slice(start, end));
    expect(sizes).toEqual([3, 10, 2, 2]);
  });

  it('refuses what is too large, and goes on', async () => {
    const server = await serve(memoryStorage(), { maxBodyBytes: 1_000_000 });
    const driver = open(server);
    expect(await failureOf(commit(driver, write('/a', new Uint8Array(8_000_000))))).toBe(
      "EFBIG: file too large, '/'. A request may have at most 1000000 bytes.",
    );
    const stream = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(100_000)) });
    const endless = open(server, {
      fetch: (url, init) => fetch(url, { ...init, ...(init?.method === 'POST' && { body: stream, duplex: 'half' }) }),
    });
    expect(await failureOf(commit(endless, write('/a')))).toMatch(/^E(?:FBIG|INVAL|IO):/);
    expect((await commit(driver, write('/a'))).ok).toBe(true);
  });

  it('lists more than one answer holds, in order', async () => {
    const driver = open(await serve(memoryStorage()));
    const names = Array.from({ length: 9000 }, (_, index) => `/${String(index).padStart(5, '0')}`);
    await commit(driver, ...names.map((path) => write(path)));
    const listed = await driver.list({ tree: 'files', path: '/', depth: 1, limit: 20_000 });
    expect(listed.map(({ path }) => path)).toEqual(names);
    const some = await driver.list({ tree: 'files', path: '/', depth: 1, limit: 6000, after: '/00999' });
    expect(some.map(({ path }) => path)).toEqual(names.slice(1000, 7000));
  });
});

describe('who may do what', () => {
  it('lets in nobody without the right token', async () => {
    const server = await serve(memories());
    for (const token of [undefined, 'wrong', 'the-token', 'x'.repeat(8000)]) {
      const driver = httpStorage({ url: server.url, ...(token === undefined ? {} : { token }) });
      const refused = "EACCES: permission denied, '/a'. The server refuses the request.";
      expect(await failureOf(driver.read({ tree: 'files', path: '/a' }))).toBe(refused);
      expect(await failureOf(driver.stat([{ tree: 'files', path: '/a' }]))).toBe(refused);
      expect(await failureOf(driver.list({ tree: 'files', path: '/a', depth: 1, limit: 1 }))).toBe(refused);
      expect(await failureOf(commit(driver, write('/a')))).toMatch(/^EACCES: /);
      await driver.close();
    }
  });

  it('lets who may only read do nothing else', async () => {
    const [server, storage] = await serveOne();
    await commit(storage, write('/a', 'kept'));
    const reader = open(server, { token: 'the-token-of-the-reader' });
    expect((await createFiles(reader).readText('/a')).text).toBe('kept');
    expect(await failureOf(commit(reader, write('/a', 'lost')))).toBe(
      "EROFS: read-only file system, '/'. You have read access only.",
    );
    expect((await createFiles(storage).readText('/a')).text).toBe('kept');
  });

  it('keeps who may reach one namespace out of the others, and out of the records', async () => {
    const server = await serve(memories());
    const mine = (namespace: string) => open(server, { namespace, token: 'the-token-of-one-project' });
    expect((await commit(mine('project'), write('/a'))).ok).toBe(true);
    for (const namespace of ['', 'other', 'projec', 'project/', 'PROJECT', '__proto__'])
      expect(await failureOf(commit(mine(namespace), write('/a')))).toMatch(
        /The namespace does not exist, or you have no/,
      );
    const records = { tree: 'records', path: '/a' } as const;
    const hidden = "EACCES: permission denied, '/a'. You have no access to the records.";
    const driver = mine('project');
    const calls = [
      driver.stat([records]),
      driver.read(records),
      driver.list({ ...records, depth: 1, limit: 1 }),
      commit(driver, { ...records, type: 'make-directory' }),
      commit(driver, { type: 'move', tree: 'files', path: '/a', to: records }),
      commit(driver, { ...records, type: 'move', to: { tree: 'files', path: '/b' } }),
      driver.commit({ expect: [{ ...records, etag: null }], changes: [], time: 0 }),
    ];
    for (const call of calls) expect(await failureOf(call)).toBe(hidden);
  });

  it('asks for a token again, if it is told how', async () => {
    const server = await serve(memoryStorage());
    const tokens = ['the-token-that-is-over', token];
    const driver = open(server, { token: async () => tokens.shift() ?? token });
    expect(await failureOf(driver.stat([{ tree: 'files', path: '/' }]))).toMatch(/^EACCES/);
    expect(await driver.stat([{ tree: 'files', path: '/' }])).toMatchObject([{ kind: 'directory' }]);
  });

  it('says with the codes of files what the storage says', async () => {
    const failing = (error: Error): StorageDriver => ({
      ...memoryStorage(),
      async read() {
        throw error;
      },
    });
    const codes = ['ENOSPC', 'EACCES', 'EROFS', 'EBUSY', 'EIO', 'ENAMETOOLONG', 'ENOTEMPTY', 'EBADF'] as const;
    for (const code of [...codes, 'content_damaged'] as const) {
      const error = fileError(code, '/a', { hint: 'As the storage says.', retryable: code === 'EBUSY' });
      const driver = open(await serve(failing(error)));
      const caught: unknown = await driver.read({ tree: 'files', path: '/a' }).catch((thrown: unknown) => thrown);
      const { message, retryable } = error;
      expect(caught).toMatchObject({ name: 'UtensilError', code, message, path: '/a', retryable });
    }
  });

  it('lets a damaged record be set aside', async () => {
    const memory = memoryStorage();
    const damaged: StorageDriver = {
      ...memory,
      async read(key, range) {
        if (key.path === '/log/b.json') throw fileError('content_damaged', key.path, { hint: 'It is lost.' });
        return memory.read(key, range);
      },
    };
    const problems: unknown[] = [];
    const records = createRecords(open(await serve(damaged, { warn: (problem) => problems.push(problem) })));
    for (const id of ['a', 'c']) await records.put(['log', id], id);
    await createRecords(memory).put(['log', 'b'], 'b');
    const listed = async () => {
      const found: unknown[] = [];
      for await (const each of records.list(['log'])) found.push('problem' in each ? each.problem.code : each.value);
      return found;
    };
    expect(await listed()).toEqual(['a', 'record_corrupt', 'c']);
    const aside = await records.setAside(['log', 'b']);
    expect(await memory.stat([{ tree: 'records', path: `/${aside}` }])).toMatchObject([{ size: 4 }]);
    expect(await listed()).toEqual(['a', 'c']);
    expect(problems).toMatchObject([{ code: 'content_damaged' }, { code: 'content_damaged' }]);
  });

  it('tells the host, and nobody else, what it did not foresee', async () => {
    const problems: unknown[] = [];
    const secret = new Error('/home/somebody/secret is missing');
    const broken = { ...memoryStorage(), stat: () => Promise.reject(secret) };
    const driver = open(await serve(broken, { warn: (problem) => problems.push(problem) }));
    expect(await failureOf(driver.stat([{ tree: 'files', path: '/a' }]))).toBe(
      "EIO: input or output failed, '/'. The storage failed.",
    );
    expect(problems).toEqual([secret]);
  });
});

describe('many at once', () => {
  it('loses none of 100 appends by three clients', async () => {
    const server = await serve(memoryStorage());
    const clients = [1, 2, 3].map(() => createFiles(open(server)));
    const append = async (index: number): Promise<void> => {
      try {
        await clients[index % 3]?.append('/log', `${index}\n`);
      } catch (error) {
        if (!isUtensilError(error, 'ECONFLICT') || !error.retryable) throw error;
        await append(index);
      }
    };
    await Promise.all(Array.from({ length: 100 }, (_, index) => append(index)));
    const { text } = (await clients[0]?.readText('/log')) ?? { text: '' };
    const lines = text.trimEnd().split('\n').map(Number);
    expect(lines.sort((left, right) => left - right)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });
});

function withoutRange(given: HeadersInit | undefined): Headers {
  const headers = new Headers(given);
  headers.delete('range');
  return headers;
}

describe('what gets lost on the way', () => {
  /** Forwards requests to a server, and drops some of its responses. */
  function passOn(server: Server, isDropped: (path: string) => boolean): Promise<Server> {
    return listen((incoming, outgoing) => {
      const { method, headers, url = '' } = incoming;
      const onward = send({ port: server.port, path: url, method, headers }, (answer) => {
        if (isDropped(url)) outgoing.destroy();
        else answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers));
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    });
  }

  /** Drops the first so many answers to requests of a kind. */
  function first(count: number, endpoint: string): (path: string) => boolean {
    let dropped = 0;
    return (path) => path.includes(`/v1/${endpoint}`) && dropped++ < count;
  }

  function counting(storage: StorageDriver): { readonly storage: StorageDriver; commits: number } {
    const counted = {
      commits: 0,
      storage: {
        ...storage,
        commit: (given: Parameters<StorageDriver['commit']>[0]) => {
          counted.commits++;
          return storage.commit(given);
        },
      },
    };
    return counted;
  }

  it('makes a commit once whose answer was lost, and gives its answer', async () => {
    const counted = counting(memoryStorage());
    const driver = open(await passOn(await serve(counted.storage), first(2, 'commit')));
    const result = await driver.commit({
      expect: [{ tree: 'files', path: '/a', etag: null }],
      changes: [write('/a', 'once')],
      time: 1,
    });
    expect(result).toMatchObject({ ok: true, entries: [{ path: '/a', size: 4 }] });
    expect(counted.commits).toBe(1);
  });

  it('appends once whatever gets lost', async () => {
    const counted = counting(memoryStorage());
    let count = 0;
    const files = createFiles(open(await passOn(await serve(counted.storage), () => ++count % 3 === 0)));
    for (const line of ['a\n', 'b\n', 'c\n', 'd\n', 'e\n']) await files.append('/log', line);
    expect((await files.readText('/log')).text).toBe('a\nb\nc\nd\ne\n');
    expect(counted.commits).toBe(5);
  });

  it('reports an unknown outcome if the server has forgotten', async () => {
    const counted = counting(memoryStorage());
    const server = await serve(counted.storage, { rememberedCommits: 1 });
    const driver = open(await passOn(server, first(1, 'commit')), {
      fetch: async (url, init) => {
        const attempt = fetch(url, init);
        await attempt.catch(() => commit(open(server), write('/other')));
        return attempt;
      },
    });
    expect(await failureOf(commit(driver, write('/a', 'once')))).toBe(
      "EIO: input or output failed, '/'. The result of an earlier attempt is no longer known, so the commit was not repeated: read, then decide.",
    );
    expect(counted.commits).toBe(2);
  });

  it('says that it does not know, if the server was started again', async () => {
    const counted = counting(memoryStorage());
    const server = await serve(counted.storage);
    const driver = open(await passOn(server, first(1, 'commit')), {
      fetch: async (url, init) => {
        const attempt = fetch(url, init);
        await attempt.catch(() => server.close().then(() => serve(counted.storage, {}, server.port)));
        return attempt;
      },
    });
    expect(await failureOf(commit(driver, write('/a', 'once')))).toMatch(/so the commit was not repeated/);
    expect(counted.commits).toBe(1);
  });

  it('reads again what did not arrive, and gives up in the end', async () => {
    const [server, storage] = await serveOne();
    await commit(storage, write('/a', 'there'));
    const key = { tree: 'files', path: '/a' } as const;
    const patient = open(await passOn(server, first(2, 'read')));
    expect((await patient.read(key))?.content.length).toBe(5);
    const driver = open(await passOn(server, () => true));
    expect(await failureOf(driver.read(key))).toBe(
      "EIO: input or output failed, '/a'. The server did not answer: try again.",
    );
    expect(await failureOf(commit(open(await passOn(server, first(9, 'commit'))), write('/b')))).toBe(
      "EIO: input or output failed, '/b'. The server did not answer, so the result of the commit is unknown: read, then decide.",
    );
  });

  it('asks again after a proxy said that it is too busy', async () => {
    const server = await serve(memoryStorage());
    const statuses = [502, 503];
    const driver = open(server, {
      fetch: async (url, init) => {
        const status = statuses.shift();
        return status === undefined ? fetch(url, init) : new Response('<h1>Busy</h1>', { status });
      },
    });
    expect(await driver.stat([{ tree: 'files', path: '/' }])).toHaveLength(1);
  });

  it.each([
    [200, 'text/html', '<h1>Log in</h1>'],
    [302, 'text/html', ''],
    [404, 'application/json', '{"code":"ENOENT","message":"ENOENT"}'],
    [409, 'application/json', '{"ok":true,"entries":[]}'],
  ])('takes an answer %i of something else for no answer of a storage', async (status, type, body) => {
    const server = await listen((_, outgoing) => outgoing.writeHead(status, { 'content-type': type }).end(body));
    const expected = /^EIO: .* The server at this URL does not speak version 1/;
    expect(await failureOf(open(server).read({ tree: 'files', path: '/a' }))).toMatch(expected);
    expect(await failureOf(commit(open(server), write('/a')))).toMatch(expected);
  });

  it('notices that a part of a content is missing, and takes a part of what came as a whole', async () => {
    const [server, storage] = await serveOne();
    await commit(storage, write('/a', '0123456789'));
    const key = { tree: 'files', path: '/a' } as const;
    const cutting = open(server, {
      fetch: async (url, init) => {
        const { status, headers, body } = await fetch(url, init);
        const cut = (await new Response(body).arrayBuffer()).slice(1);
        return new Response(cut, { status, headers });
      },
    });
    const missing = "EIO: input or output failed, '/a'. The response was truncated.";
    expect(await failureOf(cutting.read(key))).toBe(missing);
    expect(await failureOf(cutting.read(key, { start: 2, end: 5 }))).toBe(missing);
    const whole = open(server, { fetch: (url, init) => fetch(url, { ...init, headers: withoutRange(init?.headers) }) });
    expect(new TextDecoder().decode((await whole.read(key, { start: 2, end: 5 }))?.content)).toBe('234');
  });

  it('gives up what takes too long', async () => {
    const hanging = await listen(() => {});
    const driver = open(hanging, { timeoutMs: 20 });
    expect(await failureOf(driver.stat([{ tree: 'files', path: '/a' }]))).toMatch(/^EIO: .*did not answer/);
    const halfway = await listen((_, outgoing) => outgoing.writeHead(200, { 'utensil-storage': '1' }).write('{'));
    expect(await failureOf(open(halfway, { timeoutMs: 20 }).stat([{ tree: 'files', path: '/a' }]))).toMatch(/^EIO/);
  });

  it('gives up what is asked when it is closed', async () => {
    let asked: () => void = () => {};
    const arrived = new Promise<void>((resolve) => (asked = resolve));
    const driver = open(await listen(() => asked()));
    const failure = failureOf(driver.stat([{ tree: 'files', path: '/a' }]));
    await arrived;
    await driver.close();
    expect(await failure).toBe("EBADF: storage is closed, '/a'. Open it again.");
  });
});

describe('watching', () => {
  /** Reported changes from now on, as `files:/a`. */
  function toldOf(driver: StorageDriver): string[] {
    const told: string[] = [];
    driver.watch((changed) => told.push(...changed.map(({ tree, path }) => `${tree}:${path}`)));
    return told;
  }

  it('reports changes by others, in the order of commits', async () => {
    const server = await serve(memoryStorage());
    const [driver, other] = [open(server), open(server)];
    const told = toldOf(driver);
    await expect.poll(() => told).toEqual(['files:/', 'records:/']);
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
    for (const path of paths) await commit(other, write(path));
    await expect.poll(() => told.slice(2)).toEqual(paths.map((path) => `files:${path}`));
  });

  it('commits what is asked for after the watching began only once it is told of', async () => {
    const server = await serve(memoryStorage());
    const other = open(server);
    let letThrough: () => void = () => {};
    const gate = new Promise<void>((resolve) => (letThrough = resolve));
    const driver = open(server, {
      fetch: async (url, init) => {
        if (String(url).includes('/watch')) await gate;
        return fetch(url, init);
      },
    });
    const told = toldOf(driver);
    const committing = commit(driver, write('/a'));
    for (const path of ['/b', '/c', '/d', '/e']) await commit(other, write(path));
    letThrough();
    expect((await committing).ok).toBe(true);
    await expect.poll(() => told).toEqual(['files:/', 'records:/', 'files:/a']);
  });

  it('reveals nothing about records to users without access', async () => {
    const [server, storage] = await serveOne();
    const told = toldOf(open(server, { token: 'the-token-of-the-reader' }));
    await expect.poll(() => told).toEqual(['files:/', 'records:/']);
    await commit(storage, { type: 'make-directory', tree: 'records', path: '/secret' });
    await commit(storage, { ...write('/a'), type: 'make-directory' });
    await commit(storage, { type: 'move', tree: 'files', path: '/a', to: { tree: 'records', path: '/hidden' } });
    await commit(storage, write('/last'));
    await expect.poll(() => told.slice(2)).toEqual(['files:/a', 'files:/a', 'files:/last']);
  });

  it('continues after the server was away, and tells that anything may have changed', async () => {
    const [server, storage] = await serveOne();
    const told = toldOf(open(server));
    await expect.poll(() => told.length).toBe(2);
    await server.close();
    await commit(storage, write('/missed'));
    expect(told).toHaveLength(2);
    await serve(storage, {}, server.port);
    await expect.poll(() => told).toEqual(['files:/', 'records:/', 'files:/', 'records:/']);
    await commit(storage, write('/seen'));
    await expect.poll(() => told.at(-1)).toBe('files:/seen');
  });

  it('notices that the server has fallen silent', async () => {
    const [server, storage] = await serveOne({ heartbeatMs: 100 });
    let isSilent = false;
    let connections = 0;
    const driver = open(server, {
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (!String(url).includes('/watch') || ++connections > 1) return response;
        const silenced = new TransformStream<Uint8Array, Uint8Array>({
          transform: (part, controller) => void (isSilent || controller.enqueue(part)),
        });
        return new Response(response.body?.pipeThrough(silenced), response);
      },
    });
    const told = toldOf(driver);
    await expect.poll(() => told.length).toBeGreaterThan(1);
    isSilent = true;
    await commit(storage, write('/unheard'));
    await expect.poll(() => told.length).toBeGreaterThan(3);
  });

  it('is authorized again from time to time', async () => {
    const server = await serve(memoryStorage(), { maxWatchMs: 50 });
    const told = toldOf(open(server));
    await expect.poll(() => told.length).toBeGreaterThan(5);
  });

  it('ends when nobody listens, when it is closed, and when the server wants to', async () => {
    const [storage, stop] = [memoryStorage(), new AbortController()];
    let watched = 0;
    const counted: StorageDriver = {
      ...storage,
      watch(listener) {
        const end = storage.watch(listener);
        watched++;
        return () => {
          watched--;
          end();
        };
      },
    };
    const server = await serve(counted, { signal: stop.signal });
    const [one, two, three] = [open(server), open(server), open(server)];
    const end = [one.watch(() => {}), one.watch(() => {})];
    two.watch(() => {});
    three.watch(() => {});
    await expect.poll(() => watched).toBe(3);
    end[0]?.();
    end[0]?.();
    await two.close();
    await expect.poll(() => watched).toBe(2);
    end[1]?.();
    await expect.poll(() => watched).toBe(1);
    stop.abort();
    await expect.poll(() => watched).toBe(0);
  });

  it('keeps little for a client that does not read', async () => {
    const [server, storage] = await serveOne();
    const socket = connect(server.port, '127.0.0.1');
    leave.push(async () => void socket.destroy());
    socket.write(`GET /v1/watch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await new Promise((resolve) => socket.once('readable', resolve));
    const name = `/${'x'.repeat(200)}`;
    const long = name.repeat(5);
    for (let depth = 1; depth <= 5; depth++)
      await commit(storage, { type: 'make-directory', tree: 'files', path: name.repeat(depth) });
    for (let index = 0; index < 12_000; index++) {
      await commit(storage, { type: 'move', tree: 'files', path: long, to: { tree: 'files', path: '/y' } });
      await commit(storage, { type: 'move', tree: 'files', path: '/y', to: { tree: 'files', path: long } });
      if (index % 200 === 0) await new Promise((resolve) => setImmediate(resolve)); // a chance to send too much
    }
    await commit(storage, write('/last'));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => (received += part));
    await expect.poll(() => received.includes('"/last"') || received.includes('"path":"/"')).toBe(true);
    expect(received.length).toBeLessThan(16_000_000);
  });
});
