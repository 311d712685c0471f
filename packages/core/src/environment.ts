/** Time and ids, injected so that tests and replays are exact. */
export interface Environment {
  /** Milliseconds since 1970. */
  now(): number;
  /** A new id, unique everywhere: letters and digits. */
  id(): string;
}

/** The platform's clock and random source. */
export function platform(): Environment {
  return { now: Date.now, id: randomIds() };
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
const idLength = 20; // of 36 characters: 103 bits
const portion = 64 * idLength;

/** Random bytes come in portions: asking for them takes longer than all the rest of a step's bookkeeping. */
function randomIds(): () => string {
  let bytes = new Uint8Array();
  let used = 0;
  return function randomId() {
    if (used === bytes.length) {
      bytes = crypto.getRandomValues(new Uint8Array(portion));
      used = 0;
    }
    let id = '';
    for (const end = used + idLength; used < end; used++) id += alphabet.charAt((bytes[used] as number) % 36);
    return id;
  };
}

/** The longest time that a timer can be set to, in milliseconds. */
export const longestTimer = 2 ** 31 - 1;
