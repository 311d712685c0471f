import type { Content, Kit } from './kit.ts';

/** Response of the host: text if it is UTF-8, else base64. */
export interface FetchAnswer {
  readonly url: string;
  readonly redirected: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text?: string;
  readonly base64?: string;
}

/** Defines `fetch` if the network is on; otherwise explains to the code that it is off. */
export function guestFetch(kit: Kit): void {
  if (!kit.withFetch) {
    const { explain } = kit;
    const missing = /^ReferenceError: '?(?:fetch|XMLHttpRequest|WebSocket|EventSource)'? is not defined/;
    kit.explain = (thrown) => {
      const text = explain(thrown);
      if (!missing.test(text)) return text; // `replace` would copy the text, however long
      return text.replace(missing, (found) => `${found}: the network is off in this sandbox`);
    };
    return;
  }

  const { URLSearchParams } = globalThis;

  const pairsOf = (given: unknown): readonly (readonly [unknown, unknown])[] => {
    if (given === undefined || given === null) return [];
    if (typeof given !== 'object') throw new TypeError('headers must be an object, a list of pairs, or Headers');
    if (Symbol.iterator in given) return [...(given as Iterable<[unknown, unknown]>)];
    return Object.entries(given);
  };

  class Headers {
    readonly #values = new Map<string, string>();
    constructor(given?: unknown) {
      for (const [name, value] of pairsOf(given)) this.append(name, value);
    }
    append(name: unknown, value: unknown): void {
      const before = this.get(name);
      this.set(name, before === null ? value : `${before}, ${String(value)}`);
    }
    set(name: unknown, value: unknown): void {
      this.#values.set(String(name).toLowerCase(), String(value).trim());
    }
    get(name: unknown): string | null {
      return this.#values.get(String(name).toLowerCase()) ?? null;
    }
    has(name: unknown): boolean {
      return this.get(name) !== null;
    }
    delete(name: unknown): void {
      this.#values.delete(String(name).toLowerCase());
    }
    forEach(visit: (value: string, name: string, headers: Headers) => void): void {
      for (const [name, value] of this) visit(value, name, this);
    }
    entries(): IterableIterator<[string, string]> {
      return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)).values();
    }
    keys(): IterableIterator<string> {
      return [...this].map(([name]) => name).values();
    }
    values(): IterableIterator<string> {
      return [...this].map(([, value]) => value).values();
    }
    [Symbol.iterator](): IterableIterator<[string, string]> {
      return this.entries();
    }
  }

  class Response {
    readonly url: string;
    readonly redirected: boolean;
    readonly status: number;
    readonly statusText: string;
    readonly ok: boolean;
    readonly headers: Headers;
    readonly #answer: FetchAnswer;
    constructor(answer: FetchAnswer) {
      this.url = answer.url;
      this.redirected = answer.redirected;
      this.status = answer.status;
      this.statusText = answer.statusText;
      this.ok = answer.status >= 200 && answer.status < 300;
      this.headers = new Headers(answer.headers);
      this.#answer = answer;
    }
    async bytes(): Promise<Uint8Array> {
      const { text, base64 = '' } = this.#answer;
      return text === undefined ? kit.fromBase64(base64) : kit.encode(text);
    }
    async arrayBuffer(): Promise<unknown> {
      return (await this.bytes()).buffer;
    }
    async text(): Promise<string> {
      const { text, base64 = '' } = this.#answer;
      if (text !== undefined) return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
      return kit.decode(kit.fromBase64(base64)) ?? '';
    }
    async json(): Promise<unknown> {
      return JSON.parse(await this.text());
    }
  }

  const bodyOf = (body: unknown): Content | undefined => {
    if (body === undefined || body === null) return undefined;
    const content = kit.contentOf(body instanceof URLSearchParams ? String(body) : body);
    if (content !== undefined) return content;
    throw new TypeError('body must be a string, bytes, or URLSearchParams: use JSON.stringify for an object');
  };

  const fetch = async (address: unknown, request: unknown = {}): Promise<Response> => {
    const { method = 'GET', headers: given, body, redirect } = (request ?? {}) as Readonly<Record<string, unknown>>;
    const headers = new Headers(given);
    if (body instanceof URLSearchParams && !headers.has('content-type'))
      headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8');
    const content = bodyOf(body);
    const answer = await kit.call('fetch', {
      url: String(address),
      method: String(method),
      headers: [...headers],
      ...(redirect !== undefined && { redirect: String(redirect) }),
      ...(content !== undefined && { body: content }),
    });
    return new Response(answer as FetchAnswer);
  };

  kit.define('Headers', Headers);
  kit.define('fetch', fetch);
}
