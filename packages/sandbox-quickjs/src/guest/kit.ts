/**
 * What the parts of the guest's prelude share. Each part is a function that knows nothing but its parameter and the
 * language, because it runs in the sandbox: the code of the user finds it there already done.
 */
export interface Kit {
  /** Characters of one text that the guest gives away; what is longer is cut. */
  readonly limit: number;
  /** The functions of the host that code may call, by name: `tools.search`. */
  readonly functions: readonly string[];
  /** There are files. */
  readonly withFiles: boolean;
  /** There is the web. */
  readonly withFetch: boolean;
  /** The code can be made to wait for the host. */
  readonly canWait: boolean;
  /** How many characters of the script's first line are ours. */
  readonly shift: number;
  /** Gives the host a message. */
  say(message: GuestMessage): void;
  /** Asks the host something that it answers at once. */
  ask(name: string, value?: unknown): unknown;
  /** Makes a global, as the platform does: it can be replaced, and is not listed. */
  define(name: string, value: unknown): void;
  /** A value as people see it. */
  show(value: unknown): string;
  /** Something thrown as people see it. */
  explain(thrown: unknown): string;
  /** Cuts a text that is too long. */
  cut(text: string): string;
  /** Says something on the console. */
  print(level: string, text: string): void;
  /** Text as UTF-8. */
  encode(text: string): Uint8Array;
  /** UTF-8 as text; undefined for what is malformed, where that is fatal. */
  decode(bytes: Uint8Array, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean }): string | undefined;
  toBase64(bytes: Uint8Array): string;
  fromBase64(text: string): Uint8Array;
  /** Calls a function of the host. */
  call(name: string, input: unknown): Promise<unknown>;
  /** Calls a function of the host, and waits for it. */
  callNow(name: string, input: unknown): unknown;
  /** Runs the first timer that is due; when the next one is, and whether any but intervals are waiting. */
  runTimer(): { readonly ran: boolean; readonly wakeAt?: number; readonly isAwaited: boolean };
}

/** What the guest says. */
export type GuestMessage =
  | { readonly type: 'console'; readonly level: string; readonly text: string }
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly type: 'halt'; readonly text: string }
  | { readonly type: 'settled'; readonly isError: boolean; readonly text: string };

/** What is under way in the guest, in answer to `receive`. */
export interface GuestState {
  /** A timer was run: there may be more to run now. */
  readonly ran: boolean;
  /** When the next timer is due, by the host's clock. */
  readonly wakeAt?: number;
  /** Something is waited for that the script is not over without: a timer or a call of the host. */
  readonly isAwaited: boolean;
}
