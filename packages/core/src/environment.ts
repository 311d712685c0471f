/** Time and ids, injected so that tests and replays are exact. */
export interface Environment {
  /** Milliseconds since 1970. */
  now(): number;
  /** A new id, unique everywhere: letters and digits. */
  id(): string;
}

/** The platform's clock and random source. */
export const platform: Environment = { now: Date.now, id: randomId };

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** 20 characters of 36: 103 bits. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('');
}
