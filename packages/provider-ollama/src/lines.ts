import { isObject } from '@utensil/core';

/** What a line may be. */
export interface LineJudge {
  /** A line of an answer. */
  good(): void;
  /** The server reports that it failed. */
  reported(said: string): Error;
  /** No line of an answer, or no more of them before its end. */
  broken(cause?: unknown): Error;
}

/**
 * A body of lines, each of them a JSON object, up to one that is `done`. The SDK passes over what is none, with a word on
 * the console, and tells no error of the server from one of the connection; here each is an error of its own, behind the
 * lines that came before it.
 */
export function checkedLines(body: ReadableStream<Uint8Array>, judge: LineJudge): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const lines: Lines = { judge, rest: '', isDone: false, failure: undefined };

  async function read(): Promise<string> {
    try {
      const { done, value } = await reader.read();
      return check(decoder.decode(value, { stream: !done }), done, lines);
    } catch (error) {
      lines.failure = judge.broken(error);
      return '';
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let good = '';
        while (good === '' && !lines.isDone && lines.failure === undefined) good = await read();
        if (good !== '') controller.enqueue(encoder.encode(good));
        else if (lines.failure !== undefined) throw lines.failure;
        else controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 }, // what fails next must not take away what nobody has read yet
  );
}

interface Lines {
  readonly judge: LineJudge;
  /** The beginning of a line that is still to come. */
  rest: string;
  isDone: boolean;
  failure: Error | undefined;
}

/** The lines that are whole and good, up to the first that is not. */
function check(text: string, isEnd: boolean, state: Lines): string {
  const lines = (state.rest + text).split('\n');
  state.rest = isEnd ? '' : (lines.pop() ?? '');
  const good: string[] = [];
  for (const line of lines) {
    if (line.trim() === '') continue;
    state.failure = problemOf(line, state);
    if (state.failure !== undefined) break;
    good.push(`${line}\n`);
  }
  if (isEnd && !state.isDone) state.failure ??= state.judge.broken();
  return good.join('');
}

function problemOf(line: string, state: Lines): Error | undefined {
  const value = parse(line);
  if (!isObject(value)) return state.judge.broken();
  const { error: said, done } = value;
  if (said !== undefined) return state.judge.reported(typeof said === 'string' ? said : JSON.stringify(said));
  state.judge.good();
  state.isDone ||= done === true;
  return undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
