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

/** The storage of a namespace; undefined where there is none. It is asked for with each request: keep what you open. */
export type StorageOf = (namespace: string) => StorageDriver | undefined | Promise<StorageDriver | undefined>;

/** What {@link serveStorage} has to be told, and may be. */
export interface ServeOptions {
  /** Decides about each request: {@link bearerTokens}, or a function of yours. */
  readonly authorize: Authorize;
  /** The origins whose pages may read answers; default none. */
  readonly origins?: readonly string[];
  /** The largest body of a request, in bytes; default 64 MiB. */
  readonly maxBodyBytes?: number;
  /** How many changes, expectations or keys a request may have; default 10,000. */
  readonly maxChanges?: number;
  /** How many may watch at the same time; default 1000. */
  readonly maxWatchers?: number;
  /** How often those who watch are told that the server is alive; default 15 s. */
  readonly heartbeatMs?: number;
  /** After which time those who watch have to ask again, and are authorized again; default an hour. */
  readonly maxWatchMs?: number;
  /** How many commits are remembered, so that none is made twice; default 1000. */
  readonly rememberedCommits?: number;
  /** Ends all watching, before the server does. */
  readonly signal?: AbortSignal;
  /** Called with internal errors, whose details are not sent to the client. */
  readonly warn?: (problem: unknown) => void;
}

/** Of the answers to remembered commits, all in all. */
const rememberedCharacters = 16 * 1024 * 1024;

/**
 * Serves a storage, or one for each namespace, as a function from a request to its answer: for any server that speaks
 * `fetch`. It throws where there is no `authorize`, and nothing is answered without it.
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
    throw fileError('EINVAL', '/', { hint: 'Nothing is served to everybody: say with `authorize` who may do what.' });
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
    if (endpoint === undefined) return refusal(invalid(`Version ${version} has no such address.`), 404);
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
  const response = refusal(invalid(`It is asked for with ${methods[endpoint]}.`), 405);
  response.headers.set('allow', methods[endpoint]);
  return response;
}
