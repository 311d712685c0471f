/** Time and ids, injected so that tests and replays are exact. */
export interface Environment {
  /** Milliseconds since 1970. */
  now(): number;
  /** A new id, unique everywhere: letters and digits. */
  id(): string;
  /**
   * Calls back after so many milliseconds, unless the returned function is called before: the time limit of a run, the wait
   * before a retry, and when its questions expire or it parks. Default: the platform's timers.
   */
  after?(ms: number, then: () => void): () => void;
}

/** The platform's clock and random source. */
export function platform(): Environment {
  return { now: Date.now, id: randomId };
}

const idLength = 20; // of 36 characters: 103 bits
const portion = 64 * idLength;
const digits = '0123456789abcdefghijklmnopqrstuvwxyz';

// Random characters come in portions, for all runs together: asking for them takes longer than the rest of a step's bookkeeping.
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

/** The longest time that a timer can be set to, in milliseconds. */
export const longestTimer = 2 ** 31 - 1;
