import type { Kit } from './kit.ts';
import { searchParams } from './search-params.ts';

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

/** Maximum characters of a URL; the host parses no longer ones. */
const longest = 65_536;

/** Defines URL and URLSearchParams. The host parses URLs, exchanged as text. */
export function guestUrl(kit: Kit): void {
  const URLSearchParams = searchParams();

  const parse = (given: unknown, base?: unknown): Fields | undefined => {
    const [url, from] = [String(given), base === undefined ? '' : String(base)];
    if (url.length + from.length > longest) return undefined;
    return (kit.ask('url', { url, ...(base !== undefined && { base: from }) }) ?? undefined) as Fields | undefined;
  };

  class URL {
    #fields: Fields;
    #query: InstanceType<typeof URLSearchParams> | undefined;
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
    get searchParams(): InstanceType<typeof URLSearchParams> {
      this.#query ??= new URLSearchParams(this.#fields.search, (text) => this.#set('search', text));
      return this.#query;
    }
    toString(): string {
      return this.#fields.href;
    }
    toJSON(): string {
      return this.#fields.href;
    }
    static {
      for (const name of fields)
        Object.defineProperty(this.prototype, name, {
          configurable: true,
          enumerable: true,
          get(this: URL) {
            return this.#fields[name];
          },
          ...(name !== 'origin' && {
            set(this: URL, value: unknown) {
              if (name === 'search' || name === 'href') this.#query = undefined;
              this.#set(name, String(value));
            },
          }),
        });
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

  kit.define('URL', URL);
  kit.define('URLSearchParams', URLSearchParams);
}
