import type { GuestMessage, Kit } from './kit.ts';

/** Settings of a run, from the host. */
export interface GuestSettings {
  readonly limit: number;
  readonly shift: number;
  readonly functions: readonly string[];
  readonly withFiles: boolean;
  readonly withFetch: boolean;
  readonly canWait: boolean;
}

/** Creates the kit, before the parts have added their members. */
export function guestKit(
  native: { say(text: string): void; ask(text: string): string },
  { limit, shift, functions, withFiles, withFetch, canWait }: GuestSettings,
): Kit {
  const { parse, stringify } = JSON;
  const { apply } = Reflect;
  const { slice } = String.prototype;
  const missing = (): never => {
    throw new Error('This part of the sandbox is missing.');
  };
  return {
    limit,
    shift,
    functions,
    withFiles,
    withFetch,
    canWait,
    say: (message: GuestMessage) => native.say(stringify({ __proto__: null, ...message })),
    ask: (name, value) => parse(native.ask(stringify([name, value]))) as unknown,
    define: (name, value) => {
      if (typeof value === 'function') Object.defineProperty(value, 'name', { value: name, configurable: true });
      Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
    },
    cut: (text) =>
      text.length <= limit
        ? text
        : `${apply(slice, text, [0, limit])}… [${text.length - limit} of ${text.length} characters left out]`,
    show: missing,
    explain: missing,
    print: missing,
    encode: missing,
    decode: missing,
    toBase64: missing,
    fromBase64: missing,
    contentOf: missing,
    call: missing,
    callNow: missing,
    runTimer: missing,
  };
}
