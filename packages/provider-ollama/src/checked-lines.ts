import { isObject } from '@utensil/core';
import { wordsIn } from '@utensil/core/provider';

/** Kinds of lines. */
export interface LineJudge {
  /** A line of an answer, as far as can be told without reading it. */
  good(): void;
  /** The server reports that it failed. */
  reported(said: string): Error;
  /** No line of an answer, or no more of them before its end. */
  broken(cause?: unknown): Error;
}

/**
 * A body of lines, each of them a JSON object, up to one that is `done`. The SDK skips invalid lines with a warning on
 * the console, and does not distinguish errors of the server from those of the connection; here each is an error of its
 * own, after the preceding lines. The bytes pass through unchanged, one whole line at a time.
 */
export function checkedLines(body: ReadableStream<Uint8Array>, judge: LineJudge): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const lines: Lines = { judge, decoder: new TextDecoder(), rest: none, isDone: false, failure: undefined };

  async function read(): Promise<Uint8Array> {
    try {
      const { done, value } = await reader.read();
      return done ? checkEnd(lines) : check(wholeLines(value, lines), lines);
    } catch (error) {
      lines.failure = judge.broken(error);
      return none;
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let good = none;
        while (good.length === 0 && !lines.isDone && lines.failure === undefined) good = await read();
        if (good.length > 0) controller.enqueue(good);
        else if (lines.failure !== undefined) throw lines.failure;
        else controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 }, // a later failure must not drop data that has not been read yet
  );
}

const none: Uint8Array = /* @__PURE__ */ new Uint8Array();

interface Lines {
  readonly judge: LineJudge;
  readonly decoder: TextDecoder;
  /** The beginning of a line that is still to come. */
  rest: Uint8Array;
  isDone: boolean;
  failure: Error | undefined;
}

/** Input so far, up to the end of its last line. */
function wholeLines(came: Uint8Array, state: Lines): Uint8Array {
  const end = came.lastIndexOf(10) + 1;
  const whole = end === 0 ? none : joined(state.rest, came.subarray(0, end));
  state.rest = end === 0 ? joined(state.rest, came) : came.subarray(end);
  return whole;
}

function joined(before: Uint8Array, behind: Uint8Array): Uint8Array {
  if (before.length === 0) return behind;
  const whole = new Uint8Array(before.length + behind.length);
  whole.set(before);
  whole.set(behind, before.length);
  return whole;
}

function checkEnd(state: Lines): Uint8Array {
  const good = check(state.rest, state);
  if (!state.isDone) state.failure ??= state.judge.broken();
  return good;
}

/** The bytes of the lines that are good, up to the first that is not, or that is the last. */
function check(bytes: Uint8Array, state: Lines): Uint8Array {
  const lines = state.decoder.decode(bytes).split('\n');
  if (lines.at(-1) === '') lines.pop();
  const good: string[] = [];
  for (const line of lines) {
    if (line.trim() === '') continue;
    if (!isPlain(line)) state.failure = problemOf(line, state);
    if (state.failure !== undefined) break;
    state.judge.good();
    good.push(line);
    if (state.isDone) break;
  }
  return good.length === lines.length ? bytes : encoder.encode(good.map((line) => `${line}\n`).join(''));
}

const encoder = /* @__PURE__ */ new TextEncoder();

/** True if a line looks like those in the midst of Ollama's answers: the SDK reads it, and to read it twice takes long. */
function isPlain(line: string): boolean {
  return line.startsWith('{"model":') && line.endsWith(',"done":false}');
}

function problemOf(line: string, state: Lines): Error | undefined {
  const value = parse(line);
  if (!isObject(value)) return state.judge.broken();
  const { error: said, done } = value;
  if (said !== undefined) return state.judge.reported(wordsOfError(said));
  state.isDone = done === true;
  return undefined;
}

function wordsOfError(said: unknown): string {
  return typeof said === 'string' ? said : wordsIn(isObject(said) ? said['message'] : '') || JSON.stringify(said);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
