import { isUtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { StorageDriver } from '@utensil/core/storage';
import { noNamespace, refuseNamespace } from './access.ts';
import type { Authorize } from './access.ts';
import { preflight, refusal, seal } from './answers.ts';
import { createCommitting } from './committing.ts';
import { endpoints, header, version } from './protocol.ts';
import type { Endpoint } from './protocol.ts';
import { answerList, answerRead, answerStat } from './reading.ts';
import type { AnswerTo } from './reading.ts';
import { createRemembered } from './remembered.ts';
import { invalid } from './shape.ts';
import { createWatching } from './watching.ts';

/**
 * Returns the storage of a namespace, or undefined if there is none. Called for each request: cache storages that you
 * open.
 */
export type StorageOf = (namespace: string) => StorageDriver | undefined | Promise<StorageDriver | undefined>;

/** Options of {@link serveStorage}. */
export interface ServeOptions {
  /** Authorizes each request: {@link bearerTokens} or your own function. */
  readonly authorize: Authorize;
  /** Origins whose pages may read responses. Default: none. */
  readonly origins?: readonly string[];
  /** Maximum size of a request body, in bytes. Default: 64 MiB. */
  readonly maxBodyBytes?: number;
  /** Maximum number of changes, expectations or keys in a request. Default: 10,000. */
  readonly maxChanges?: number;
  /** Maximum number of concurrent watchers. Default: 1000. */
  readonly maxWatchers?: number;
  /** Interval between heartbeats to watchers, in milliseconds. Default: 15,000. */
  readonly heartbeatMs?: number;
  /**
   * Maximum duration of a watch, in milliseconds; then the watcher must reconnect and is authorized again. Default: one
   * hour.
   */
  readonly maxWatchMs?: number;
  /** Number of commits to remember, so that none is made twice. Default: 1000. */
  readonly rememberedCommits?: number;
  /** Ends all watches, before the server stops. */
  readonly signal?: AbortSignal;
  /** Called with internal errors, whose details are not sent to the client. */
  readonly warn?: (problem: unknown) => void;
}

/** Total size of the remembered responses, in characters. */
const rememberedCharacters = 16 * 1024 * 1024;

/**
 * Creates a `fetch` handler that serves one storage, or one per namespace. Throws if `authorize` is missing: every
 * request is authorized.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { httpStorage } from '@utensil/storage-http';
 * import { bearerTokens, serveStorage } from '@utensil/storage-http/server';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const token = 'a-secret-that-nobody-guesses';
 * const handle = serveStorage(memoryStorage(), { authorize: bearerTokens([{ token, canWrite: true }]) });
 *
 * // without a network, for this example
 * const fetch: typeof globalThis.fetch = (url, init) => handle(new Request(url, init));
 * const files = createFiles(httpStorage({ url: 'https://example.com/storage', token, fetch }));
 * await files.write('/a', 'over HTTP');
 * console.log((await files.readText('/a')).text); // over HTTP
 * ```
 */
export function serveStorage(
  storage: StorageDriver | StorageOf,
  options: ServeOptions,
): (request: Request) => Promise<Response> {
  const { authorize, origins = [], maxChanges = 10_000 } = options;
  if (typeof authorize !== 'function')
    throw fileError('EINVAL', '/', { hint: 'A storage is never served without authorization: pass `authorize`.' });
  const remembered = createRemembered({
    commits: options.rememberedCommits ?? 1000,
    characters: rememberedCharacters,
  });
  const answers: Readonly<Record<Endpoint, AnswerTo>> = {
    stat: (task) => answerStat(task, maxChanges),
    list: answerList,
    read: answerRead,
    commit: createCommitting({ ...options, maxChanges, remembered, failure }),
    watch: createWatching(options),
  };

  async function answerTo(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const endpoint = endpoints.find((each) => pathname.endsWith(`/v${version}/${each}`));
    if (endpoint === undefined) return refusal(invalid(`Version ${version} has no such endpoint.`), 404);
    if (request.method === 'OPTIONS' && isWelcome(request, origins)) return preflight();
    if (request.method !== methods[endpoint]) return wrongMethod(endpoint);
    const access = await authorize(request);
    if (access instanceof Response) return access;
    const namespace = searchParams.get('namespace') ?? '';
    refuseNamespace(access, namespace);
    const driver = typeof storage === 'function' ? await storage(namespace) : alone(storage, namespace);
    if (driver === undefined) throw noNamespace();
    const response = await answers[endpoint]({ request, query: searchParams, driver, access, namespace });
    response.headers.set(header.mark, remembered.mark());
    return response;
  }

  function failure(error: unknown): Response {
    if (!isUtensilError(error) || isUtensilError(error, 'EIO', 'content_damaged')) options.warn?.(error);
    return refusal(error);
  }

  return async function storageHandler(request) {
    return seal(await answerTo(request).catch(failure), request, origins);
  };
}

/** A storage that is served alone has one namespace. */
function alone(storage: StorageDriver, namespace: string): StorageDriver | undefined {
  return namespace === '' ? storage : undefined;
}

function isWelcome(request: Request, origins: readonly string[]): boolean {
  return origins.includes(request.headers.get('origin') ?? '');
}

const methods: Readonly<Record<Endpoint, string>> = {
  stat: 'POST',
  list: 'GET',
  read: 'GET',
  commit: 'POST',
  watch: 'GET',
};

function wrongMethod(endpoint: Endpoint): Response {
  const response = refusal(invalid(`Use ${methods[endpoint]}.`), 405);
  response.headers.set('allow', methods[endpoint]);
  return response;
}
