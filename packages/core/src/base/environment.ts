/** Clock and ids, injected for deterministic tests and replays. */
export interface Environment {
  /** Milliseconds since 1970. */
  now(): number;
  /** A new globally unique id of letters and digits. */
  id(): string;
  /**
   * Calls back after a delay in milliseconds; returns a function that cancels it. Used for the time limit of a run, the
   * delay of a retry, the expiry of questions, and parking. Default: the platform's timers.
   */
  after?(ms: number, then: () => void): () => void;
}

/** The platform's clock and random source. */
export function platform(): Environment {
  return { now: Date.now, id: randomId };
}

const idLength = 20; // 36 possible characters: 103 bits
const portion = 64 * idLength;
const digits = '0123456789abcdefghijklmnopqrstuvwxyz';

// Random characters are drawn in batches shared by all runs: a request costs more than the rest of a step's
// bookkeeping.
const decoder = /* @__PURE__ */ new TextDecoder();
let characters = '';
let used = 0;

function randomId(): string {
  if (used === characters.length) {
    const bytes = crypto.getRandomValues(new Uint8Array(portion));
    for (let index = 0; index < portion; index++)
      bytes[index] = digits.charCodeAt((bytes[index] as number) % digits.length);
    characters = decoder.decode(bytes);
    used = 0;
  }
  return characters.slice(used, (used += idLength));
}

/** Maximum delay of a timer, in milliseconds. */
export const longestTimer = 2 ** 31 - 1;
