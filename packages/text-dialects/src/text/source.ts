/** The text of a turn as it comes in. Readers take from its front, and wait by yielding `undefined`. */
export interface Source {
  /** Number of characters taken. */
  readonly position: number;
  readonly isEnded: boolean;
  /** Text that has arrived and was not taken. */
  rest(): string;
  /** The next character; empty if it has not arrived. */
  peek(): string;
  skip(count: number): void;
  take(count: number): string;
  append(text: string): void;
  end(): void;
  /** Records the text that is taken from now on. */
  record(): Recording;
  /** Stops every recording from the n-th on: a reader that fails leaves its own running. */
  stopRecordings(from: number): void;
  /** Number of active recordings. */
  readonly recordings: number;
}

/** Text taken since it began. */
export interface Recording {
  text(): string;
  /** Text since the last call. */
  fresh(): string;
  stop(): void;
}

/** A reader: yields what it finds, and `undefined` where it needs more text. */
export type Reading<Found, Result> = Generator<Found | undefined, Result, undefined>;

interface Tape {
  from: number;
  whole: string;
  fresh: string;
}

export function createSource(): Source {
  const tapes = new Set<Tape>();
  let pending = '';
  let at = 0;
  let before = 0;
  let isEnded = false;

  function wind(tape: Tape): void {
    const taken = pending.slice(tape.from, at);
    tape.whole += taken;
    tape.fresh += taken;
    tape.from = at;
  }

  function stop(tape: Tape): void {
    if (tapes.has(tape)) wind(tape);
    tapes.delete(tape);
  }

  function record(): Recording {
    const tape: Tape = { from: at, whole: '', fresh: '' };
    tapes.add(tape);
    const isOn = (): boolean => tapes.has(tape);
    return {
      text() {
        if (isOn()) wind(tape);
        return tape.whole;
      },
      fresh() {
        if (isOn()) wind(tape);
        const { fresh } = tape;
        tape.fresh = '';
        return fresh;
      },
      stop: () => stop(tape),
    };
  }

  return {
    get position() {
      return before + at;
    },
    get isEnded() {
      return isEnded;
    },
    get recordings() {
      return tapes.size;
    },
    rest: () => pending.slice(at),
    peek: () => pending.charAt(at),
    skip(count) {
      at += count;
    },
    take(count) {
      at += count;
      return pending.slice(at - count, at);
    },
    append(text) {
      for (const tape of tapes) {
        wind(tape);
        tape.from = 0;
      }
      pending = pending.slice(at) + text;
      before += at;
      at = 0;
    },
    end() {
      isEnded = true;
    },
    record,
    stopRecordings(from) {
      for (const tape of [...tapes].slice(from)) stop(tape);
    },
  };
}
