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

export function createSource(): Source {
  const running = new Set<Recording>();
  let kept: string[] = []; // what was taken since the first of them began: strings that grow by characters would be deep trees
  let pending = '';
  let at = 0;
  let before = 0;
  let isEnded = false;

  function settle(): void {
    if (at === 0) return;
    if (running.size > 0) kept.push(pending.slice(0, at));
    pending = pending.slice(at);
    before += at;
    at = 0;
  }

  function record(): Recording {
    settle();
    if (running.size === 0) kept = [];
    const pieces = kept;
    const start = pieces.length;
    let heard = start;
    let end: number | undefined;
    const length = (): number => {
      if (end === undefined) settle();
      return end ?? pieces.length;
    };
    const recording: Recording = {
      text: () => pieces.slice(start, length()).join(''),
      fresh() {
        const from = heard;
        heard = length();
        return pieces.slice(from, heard).join('');
      },
      stop() {
        end = length();
        running.delete(recording);
      },
    };
    running.add(recording);
    return recording;
  }

  return {
    get position() {
      return before + at;
    },
    get isEnded() {
      return isEnded;
    },
    get recordings() {
      return running.size;
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
      settle();
      pending += text;
    },
    end() {
      isEnded = true;
    },
    record,
    stopRecordings(from) {
      for (const recording of [...running].slice(from)) recording.stop();
    },
  };
}
