// What is used of the Prompt API, by its explainer of 2026. A page has it as `LanguageModel`; polyfills have the same shape.

/** Whether a browser has a model for what is asked: `downloadable` waits for a click, and `downloading` for the network. */
export type BrowserAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

/** What goes into a session, or comes out of it. */
export interface Expected {
  readonly type: string;
  /** As BCP 47 tags. */
  readonly languages?: string[];
}

/** What decides whether there is a model: the same for the question and for the session. */
export interface CoreOptions {
  readonly expectedInputs?: Expected[];
  readonly expectedOutputs?: Expected[];
}

/** Of a session that is made. Aborting `signal` later ends the session. */
export interface CreateOptions extends CoreOptions {
  readonly initialPrompts?: Prompt[];
  readonly signal?: AbortSignal;
  monitor?(monitor: DownloadMonitor): void;
}

/** Where progress is told while the browser fetches its model: `loaded` of 1. */
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

/** What is streamed: text; or, where thoughts were asked for, pieces that say what they are. */
export type PromptChunk = string | { readonly type: string; readonly value: unknown };

/** A conversation that the browser keeps. */
export interface PromptSession {
  /** In tokens; `Infinity` where there is no limit. Extensions once had them as `inputUsage` and `inputQuota`. */
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

/** That of the page; undefined where a browser has none. */
export function promptApiOfPage(): PromptApi | undefined {
  return (globalThis as { readonly LanguageModel?: PromptApi }).LanguageModel;
}
