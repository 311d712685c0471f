import type { Kit } from './kit.ts';

/** URL and URLSearchParams. The host takes addresses apart: text goes there, and text comes back. */
export function guestUrl(kit: Kit): void {
  const fields = [
    'href',
    'origin',
    'protocol',
    'username',
    'password',
    'host',
    'hostname',
    'port',
    'pathname',
    'search',
    'hash',
  ] as const;
  type Fields = Record<(typeof fields)[number], string>;

  /** Characters of an address; the host takes no longer ones apart. */
  const longest = 65_536;

  const parse = (given: unknown, base?: unknown): Fields | undefined => {
    const [url, from] = [String(given), base === undefined ? '' : String(base)];
    if (url.length + from.length > longest) return undefined;
    return (kit.ask('url', { url, ...(base !== undefined && { base: from }) }) ?? undefined) as Fields | undefined;
  };

  const escape = (text: string): string =>
    encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))
      .replace(/%20/g, '+')
      .replace(/[!'()~]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  const unescape = (text: string): string => {
    const spaced = text.replace(/\+/g, ' ');
    try {
      return decodeURIComponent(spaced);
    } catch {
      return spaced;
    }
  };

  const pairsOf = (init: unknown): [string, string][] => {
    if (init === undefined || init === null) return [];
    if (typeof init === 'object' && Symbol.iterator in init)
      return [...(init as Iterable<[unknown, unknown]>)].map(([name, value]) => [String(name), String(value)]);
    if (typeof init === 'object') return Object.entries(init).map(([name, value]) => [name, String(value)]);
    return String(init)
      .replace(/^\?/, '')
      .split('&')
      .filter((each) => each !== '')
      .map((each) => {
        const [name = '', ...value] = each.split('=');
        return [unescape(name), unescape(value.join('='))];
      });
  };

  class URLSearchParams {
    #pairs: [string, string][];
    #changed: (text: string) => void = () => undefined;
    constructor(init?: unknown, changed?: (text: string) => void) {
      this.#pairs = pairsOf(init);
      if (typeof changed === 'function') this.#changed = changed;
    }
    get size(): number {
      return this.#pairs.length;
    }
    append(name: unknown, value: unknown): void {
      this.#become([...this.#pairs, [String(name), String(value)]]);
    }
    delete(name: unknown): void {
      this.#become(this.#pairs.filter(([each]) => each !== String(name)));
    }
    get(name: unknown): string | null {
      return this.#pairs.find(([each]) => each === String(name))?.[1] ?? null;
    }
    getAll(name: unknown): string[] {
      return this.#pairs.filter(([each]) => each === String(name)).map(([, value]) => value);
    }
    has(name: unknown): boolean {
      return this.#pairs.some(([each]) => each === String(name));
    }
    set(name: unknown, value: unknown): void {
      const index = this.#pairs.findIndex(([each]) => each === String(name));
      const others = this.#pairs.filter(([each], at) => each !== String(name) || at === index);
      this.#become(
        index < 0
          ? [...others, [String(name), String(value)]]
          : others.map((pair) => (pair[0] === String(name) ? [pair[0], String(value)] : pair)),
      );
    }
    sort(): void {
      this.#become([...this.#pairs].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
    }
    forEach(callback: (value: string, name: string, all: unknown) => void): void {
      for (const [name, value] of [...this.#pairs]) callback(value, name, this);
    }
    keys(): Iterator<string> {
      return this.#pairs.map(([name]) => name).values();
    }
    values(): Iterator<string> {
      return this.#pairs.map(([, value]) => value).values();
    }
    entries(): Iterator<[string, string]> {
      return this.#pairs.map(([name, value]): [string, string] => [name, value]).values();
    }
    [Symbol.iterator](): Iterator<[string, string]> {
      return this.entries();
    }
    toString(): string {
      return this.#pairs.map(([name, value]) => `${escape(name)}=${escape(value)}`).join('&');
    }
    #become(pairs: [string, string][]): void {
      this.#pairs = pairs;
      this.#changed(this.toString());
    }
  }

  class URL {
    #fields: Fields;
    #query: URLSearchParams | undefined;
    constructor(url: unknown, base?: unknown) {
      const parsed = parse(url, base);
      if (parsed === undefined) throw new TypeError(`Invalid URL: ${kit.cut(String(url)).slice(0, 200)}`);
      this.#fields = parsed;
    }
    static canParse(url: unknown, base?: unknown): boolean {
      return parse(url, base) !== undefined;
    }
    static parse(url: unknown, base?: unknown): URL | null {
      return URL.canParse(url, base) ? new URL(url, base) : null;
    }
    get searchParams(): URLSearchParams {
      this.#query ??= new URLSearchParams(this.#fields.search, (text) => this.#set('search', text));
      return this.#query;
    }
    toString(): string {
      return this.#fields.href;
    }
    toJSON(): string {
      return this.#fields.href;
    }
    static field(url: URL, name: keyof Fields): string {
      return url.#fields[name];
    }
    static change(url: URL, name: keyof Fields, value: unknown): void {
      if (name === 'search' || name === 'href') url.#query = undefined;
      url.#set(name, String(value));
    }
    #set(name: keyof Fields, value: string): void {
      const isShort = this.#fields.href.length + value.length <= longest;
      const changed = isShort
        ? (kit.ask('url', { url: this.#fields.href, set: { name, value } }) as Fields | null)
        : null;
      if (changed !== null) this.#fields = changed;
      else if (name === 'href') throw new TypeError(`Invalid URL: ${value.slice(0, 200)}`);
    }
  }

  const { field, change } = URL;
  for (const name of fields) {
    const isFixed = name === 'origin';
    Object.defineProperty(URL.prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: URL) {
        return field(this, name);
      },
      ...(!isFixed && {
        set(this: URL, value: unknown) {
          change(this, name, value);
        },
      }),
    });
  }
  Reflect.deleteProperty(URL, 'field');
  Reflect.deleteProperty(URL, 'change');
  kit.define('URL', URL);
  kit.define('URLSearchParams', URLSearchParams);
}
