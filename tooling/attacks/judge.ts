import type { Attack } from './attack.ts';

/** What a host has seen of an attack. */
export interface Seen {
  /** `aborted`: nothing of the sandbox's own has ended it in all its time, so the test has. */
  readonly status: 'done' | 'not done' | 'aborted';
  /** Its result, or its error. */
  readonly text: string;
  /** All that a model would get to read, the console with it. */
  readonly said: string;
  /** What the file says that no script may change. */
  readonly kept: string;
  /** What the script after it gave. */
  readonly next: string;
  /** Bytes that its WebAssembly took, and was to take. */
  readonly memory?: { readonly bytes: number; readonly limit: number };
}

/** What that file says, and the script after it is. */
export const untouched = 'kept';
export const healthy = { code: 'return 6 * 7', text: '42' } as const;

/** Milliseconds after which a test ends what should long have ended by itself, on however busy a machine. */
export const patience = 15_000;

/** What only the host could have said. */
const ofTheHost =
  /node:|file:\/\/|https?:\/\/localhost|\/(?:home|root|usr|tmp)\/|node_modules|\.ts:|wasm-function|worker_threads/;

/** What is said of a script that has ended long before the sandbox knew. */
const waitedInVain = /that were left after/;

const mostSaid = 300_000;

/** Of the engine's own, beyond what a script may allocate. */
const spareBytes = 8 * 1024 * 1024;

/** What came of an attack that should not have; undefined where all is well. */
export function problemOf({ outcome }: Attack, seen: Seen): string | undefined {
  const { status, text, said, kept, next, memory } = seen;
  const shown = `${status}: ${text.slice(0, 500)}`;
  if (status === 'aborted') return 'It did not end by itself.';
  if (outcome === 'stopped' && status === 'done') return `It was not stopped. ${shown}`;
  if (typeof outcome === 'object' && !(status === 'done' && text === outcome.gives))
    return `It found something. ${shown}`;
  if (typeof outcome === 'object' && waitedInVain.test(said)) return 'It was waited for, to no end.';
  if (ofTheHost.test(said)) return `It learnt of the host: ${said.slice(0, 500)}`;
  if (said.length > mostSaid) return `It said ${said.length} characters.`;
  if (memory !== undefined && memory.bytes > memory.limit + spareBytes)
    return `It took ${memory.bytes} bytes, and ${memory.limit} were its limit.`;
  if (kept !== untouched) return 'It changed what is read-only.';
  if (Object.keys(Object.prototype).length > 0) return "It changed the host's own objects.";
  return next === healthy.text ? undefined : `The next script is not well: ${next}`;
}
