import { isObject } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { ByteRange, StorageEntry, ListedEntry, ListQuery, StorageDriver } from '@utensil/core/storage';
import { createConnection, jsonOf } from './connection.ts';
import type { Answer, Connection, HttpStorageOptions } from './connection.ts';
import { toCommitResult, toPage, toReadEntry, toStats } from './entries.ts';
import { createFollower } from './follower.ts';
import { commitType, encodeCommit, header, randomKey } from './protocol.ts';

/**
 * Creates a storage on a server, for pages, workers and servers.
 *
 * @example
 * ```ts no-run
 * import { createFiles } from '@utensil/core';
 * import { httpStorage } from '@utensil/storage-http';
 *
 * const files = createFiles(httpStorage({ url: 'https://example.com/storage', token: 'the-token-of-the-user' }));
 * await files.write('/notes/todo.md', 'buy milk');
 * ```
 */
export function httpStorage(options: HttpStorageOptions): StorageDriver {
  const connection = createConnection(options);
  const follower = createFollower(connection);

  return {
    async stat(keys) {
      const [first] = keys;
      connection.refuseClosed(first?.path ?? '/');
      return first === undefined ? [] : toStats(await askStat(connection, keys), keys);
    },
    async list(query) {
      connection.refuseClosed(query.path);
      return listPages(connection, query);
    },
    async read(key, range) {
      const { tree, path } = key;
      const answer = await connection.ask({
        endpoint: 'read',
        method: 'GET',
        path,
        query: { tree, path },
        headers: headersOf(range),
        accept: [200, 206, 404, 416],
      });
      if (answer.status === 404) return notThere(answer, path);
      const entry = toReadEntry(answer, key);
      const content = answer.status === 416 ? new Uint8Array() : partOf(answer, range);
      if (content.length !== lengthOf(entry, range))
        throw fileError('EIO', path, { hint: 'The response was truncated.' });
      return { entry, content };
    },
    async commit(commit) {
      const path = commit.changes.at(-1)?.path ?? '/';
      connection.refuseClosed(path);
      const body = encodeCommit(commit);
      await follower.settled();
      if (connection.mark() === undefined) await askStat(connection, []);
      const answer = await connection.ask({
        endpoint: 'commit',
        method: 'POST',
        path,
        headers: { 'content-type': commitType, [header.key]: randomKey() },
        body,
        accept: [200, 409],
        repeated: { [header.mark]: connection.mark() ?? '' },
      });
      return toCommitResult(answer, path);
    },
    watch(listener) {
      connection.refuseClosed('/');
      return follower.subscribe(listener);
    },
    async close() {
      connection.close();
      follower.close();
    },
  };
}

function askStat(connection: Connection, keys: Parameters<StorageDriver['stat']>[0]): Promise<Answer> {
  const asked = { keys: keys.map(({ tree, path }) => ({ tree, path })) };
  return connection.ask({
    endpoint: 'stat',
    method: 'POST',
    path: keys[0]?.path ?? '/',
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(asked)),
    accept: [200],
  });
}

/** More levels than any path has. */
const allLevels = 1000;

/** Lists page by page; the server decides the page size. */
async function listPages(connection: Connection, query: ListQuery): Promise<readonly ListedEntry[]> {
  const { tree, path, depth, limit } = query;
  const entries: ListedEntry[] = [];
  let after = query.after;
  while (entries.length < limit) {
    const wanted = Math.min(limit - entries.length, Number.MAX_SAFE_INTEGER);
    const answer = await connection.ask({
      endpoint: 'list',
      method: 'GET',
      path,
      query: {
        tree,
        path,
        depth: `${Math.min(depth, allLevels)}`,
        limit: `${wanted}`,
        ...(after === undefined ? {} : { after }),
      },
      accept: [200],
    });
    const page = toPage(answer, path);
    entries.push(...page.entries);
    if (page.next === undefined || page.next === after) break;
    after = page.next;
  }
  return entries;
}

/** A header cannot request an empty range, so it requests one byte. */
function headersOf(range: ByteRange | undefined): Readonly<Record<string, string>> {
  if (range === undefined) return {};
  if (range.end <= range.start) return { range: 'bytes=0-0' };
  return { range: `bytes=${range.start}-${Number.isSafeInteger(range.end) ? range.end - 1 : ''}` };
}

/** The requested range; a proxy may have sent the whole content. */
function partOf({ status, bytes }: Answer, { start, end }: ByteRange = { start: 0, end: Infinity }): Uint8Array {
  if (end <= start) return new Uint8Array();
  return status === 200 ? bytes.slice(start, end) : bytes;
}

function lengthOf({ size }: StorageEntry, { start, end }: ByteRange = { start: 0, end: Infinity }): number {
  return Math.max(Math.min(end, size) - start, 0);
}

/** Undefined if the storage says that the file is missing. A missing address is an error instead. */
function notThere(answer: Answer, path: string): undefined {
  const body = jsonOf(answer);
  if (isObject(body) && body['code'] === 'ENOENT') return undefined;
  throw fileError('EIO', path, { hint: 'There is no storage at the server URL.' });
}
