/**
 * State shared by the parts of the guest's prelude. Each part is a function that uses only its parameter and the
 * language, because it runs inside the sandbox, before the code of the user.
 */
export interface Kit {
  /** Maximum characters of a text sent to the host; longer ones are truncated. */
  readonly limit: number;
  /** Callable host functions, by name: `tools.search`. */
  readonly functions: readonly string[];
  /** True if there are files. */
  readonly withFiles: boolean;
  /** True if there is a network. */
  readonly withFetch: boolean;
  /** True if the code can block on the host. */
  readonly canWait: boolean;
  /** Number of characters that the wrapper adds to the first line of the script. */
  readonly shift: number;
  /** Sends a message to the host. */
  say(message: GuestMessage): void;
  /** Asks the host a synchronous question. */
  ask(name: string, value?: unknown): unknown;
  /** Defines a global like the platform does: replaceable and not enumerable. */
  define(name: string, value: unknown): void;
  /** Formats a value for people. */
  show(value: unknown): string;
  /** Formats a thrown value for people. */
  explain(thrown: unknown): string;
  /** Truncates a long text. */
  cut(text: string): string;
  /** Prints a line on the console. */
  print(level: string, text: string): void;
  /** Encodes text as UTF-8. */
  encode(text: string): Uint8Array;
  /** Decodes UTF-8; undefined for malformed input if `fatal` is true. */
  decode(bytes: Uint8Array, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean }): string | undefined;
  toBase64(bytes: Uint8Array): string;
  fromBase64(text: string): Uint8Array;
  /** Converts a text, a buffer or a view of one; undefined for other values. */
  contentOf(value: unknown): Content | undefined;
  /** Calls a function of the host. */
  call(name: string, input: unknown): Promise<unknown>;
  /** Calls a function of the host and blocks until it returns. */
  callNow(name: string, input: unknown): unknown;
  /** Runs the first due timer. Returns the time of the next one, and whether any besides intervals are pending. */
  runTimer(): { readonly ran: boolean; readonly wakeAt?: number; readonly isAwaited: boolean };
}

/** Data for the host, as text or base64. */
export type Content = { readonly text: string } | { readonly base64: string };

/** Messages from the guest. */
export type GuestMessage =
  | { readonly type: 'console'; readonly level: string; readonly text: string }
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly type: 'halt'; readonly text: string }
  | { readonly type: 'settled'; readonly isError: boolean; readonly text: string };

/** State of the guest, in answer to `receive`. */
export interface GuestState {
  /** True if a timer was run; more may be due. */
  readonly ran: boolean;
  /** Due time of the next timer, by the host's clock. */
  readonly wakeAt?: number;
  /** True if a timer or host call is pending that the script must wait for. */
  readonly isAwaited: boolean;
}
