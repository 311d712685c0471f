// The platform features that portable packages may use: present in every browser, worker, Node.js, Deno and Bun, but
// not part of the language. Anything else is an option passed in by the host.

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean; signal?: AbortSignal }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
declare const AbortSignal: {
  abort(reason?: unknown): AbortSignal;
  any(signals: readonly AbortSignal[]): AbortSignal;
  timeout(milliseconds: number): AbortSignal;
};

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare const AbortController: new () => AbortController;

interface TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}
declare const TextEncoder: new () => TextEncoder;

interface TextDecoder {
  decode(bytes?: Uint8Array | ArrayBuffer, options?: { stream?: boolean }): string;
}
declare const TextDecoder: new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }) => TextDecoder;

interface URL {
  readonly hash: string;
  readonly host: string;
  readonly hostname: string;
  readonly href: string;
  readonly origin: string;
  readonly pathname: string;
  readonly port: string;
  readonly protocol: string;
  readonly search: string;
  toString(): string;
}
declare const URL: {
  new (url: string, base?: string | URL): URL;
  canParse(url: string, base?: string | URL): boolean;
};

interface Headers {
  get(name: string): string | null;
  has(name: string): boolean;
  set(name: string, value: string): void;
}
declare const Headers: new (headers?: Headers) => Headers;

interface Response {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: object | null;
  text(): Promise<string>;
}
declare const Response: new (
  body?: string | object | null,
  about?: { readonly status?: number; readonly statusText?: string; readonly headers?: Headers },
) => Response;

interface ImportMeta {
  readonly url: string;
}

interface StreamWriter<T> {
  readonly ready: Promise<unknown>;
  write(chunk: T): Promise<unknown>;
  close(): Promise<void>;
  abort(reason?: unknown): Promise<void>;
}
interface WritableStream<T> {
  getWriter(): StreamWriter<T>;
}
declare const WritableStream: new <T>(sink: {
  write(chunk: T): Promise<void>;
  close(): Promise<void>;
  abort(reason?: unknown): Promise<void>;
}) => WritableStream<T>;
interface ReadableStream<T> {
  pipeThrough<U>(through: {
    readonly readable: ReadableStream<U>;
    readonly writable: WritableStream<T>;
  }): ReadableStream<U>;
}
declare const TransformStream: new <T, U>(transformer: {
  transform(chunk: T, controller: { enqueue(chunk: U): void }): void;
}) => { readonly readable: ReadableStream<U>; readonly writable: WritableStream<T> };

/** A number in browsers, an object in Node.js; both are opaque. */
type Timer = { readonly __timer: never };
declare function setTimeout(callback: () => void, milliseconds?: number): Timer;
declare function clearTimeout(timer: Timer | undefined): void;
declare function queueMicrotask(callback: () => void): void;
declare function structuredClone<T>(value: T): T;
declare function atob(base64: string): string;
declare function btoa(binary: string): string;

declare const performance: { now(): number };
declare const crypto: {
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
  getRandomValues<T extends Uint8Array>(bytes: T): T;
};
