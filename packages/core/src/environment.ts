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

/** Random characters come in portions: asking for them takes longer than all the rest of a step's bookkeeping. */
function randomIds(): () => string {
  let characters = '';
  let used = 0;
  return function randomId() {
    if (used === characters.length) {
      characters = randomCharacters();
      used = 0;
    }
    used += idLength;
    return characters.slice(used - idLength, used);
  };
}

function randomCharacters(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(portion));
  return new TextDecoder().decode(bytes.map((byte) => alphabet.charCodeAt(byte % alphabet.length)));
}

/** The longest time that a timer can be set to, in milliseconds. */
export const longestTimer = 2 ** 31 - 1;
