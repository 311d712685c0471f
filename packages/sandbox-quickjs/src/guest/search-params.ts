type Pair = [name: string, value: string];

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

const pairsOf = (init: unknown): Pair[] => {
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

const isNamed =
  (name: unknown) =>
  ([each]: Pair): boolean =>
    each === String(name);

/** Defines the class URLSearchParams; `changed` receives its text after each change. */
export function searchParams() {
  return class URLSearchParams {
    #pairs: Pair[];
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
      return this.#pairs.find(isNamed(name))?.[1] ?? null;
    }
    getAll(name: unknown): string[] {
      return this.#pairs.filter(isNamed(name)).map(([, value]) => value);
    }
    has(name: unknown): boolean {
      return this.#pairs.some(isNamed(name));
    }
    set(name: unknown, value: unknown): void {
      const index = this.#pairs.findIndex(isNamed(name));
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
    entries(): Iterator<Pair> {
      return this.#pairs.map(([name, value]): Pair => [name, value]).values();
    }
    [Symbol.iterator](): Iterator<Pair> {
      return this.entries();
    }
    toString(): string {
      return this.#pairs.map(([name, value]) => `${escape(name)}=${escape(value)}`).join('&');
    }
    #become(pairs: Pair[]): void {
      this.#pairs = pairs;
      this.#changed(this.toString());
    }
  };
}
