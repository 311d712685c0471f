// The part of the Prompt API that this package uses, by its explainer of 2026. A page has it as `LanguageModel`;
// polyfills have the same shape.

/**
 * Availability of a model with the given options: `downloadable` waits for a click, and `downloading` for the network.
 */
export type BrowserAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

/** Content of a prompt or an answer. */
export interface Expected {
  readonly type: string;
  /** As BCP 47 tags. */
  readonly languages?: string[];
}

/** Options that decide whether there is a model: the same for the query and for the session. */
export interface CoreOptions {
  readonly expectedInputs?: Expected[];
  readonly expectedOutputs?: Expected[];
}

/** Options of a new session. Aborting `signal` later ends the session. */
export interface CreateOptions extends CoreOptions {
  readonly initialPrompts?: Prompt[];
  readonly signal?: AbortSignal;
  monitor?(monitor: DownloadMonitor): void;
}

/** Receives progress events while the browser downloads its model: `loaded` of 1. */
export interface DownloadMonitor {
  addEventListener(type: 'downloadprogress', listener: (event: { readonly loaded: number }) => void): void;
}

/** A piece of a message: text, or the bytes of an image or a recording. */
export type PromptContent =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'image' | 'audio'; readonly value: Uint8Array<ArrayBuffer> };

/** A message. */
export interface Prompt {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | PromptContent[];
}

/** Stream of text; or, if thoughts were requested, of typed pieces. */
export type PromptChunk = string | { readonly type: string; readonly value: unknown };

/** A conversation that the browser keeps. */
export interface PromptSession {
  /** In tokens; `Infinity` without a limit. Extensions used to call them `inputUsage` and `inputQuota`. */
  readonly contextUsage?: number;
  readonly contextWindow?: number;
  readonly inputUsage?: number;
  readonly inputQuota?: number;
  measureContextUsage?(input: Prompt[], options?: object): Promise<number>;
  measureInputUsage?(input: Prompt[], options?: object): Promise<number>;
  promptStreaming(input: Prompt[], options?: object): AsyncIterable<PromptChunk>;
  addEventListener?(type: 'contextoverflow', listener: () => void): void;
  destroy(): void;
}

/** The Prompt API itself: `LanguageModel`. */
export interface PromptApi {
  availability(options?: CoreOptions): Promise<BrowserAvailability>;
  create(options?: CreateOptions): Promise<PromptSession>;
}

/** The Prompt API of the page; undefined if the browser has none. */
export function promptApiOfPage(): PromptApi | undefined {
  return (globalThis as { readonly LanguageModel?: PromptApi }).LanguageModel;
}
