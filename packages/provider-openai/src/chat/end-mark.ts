import { endMark } from './is-end-mark.ts';

// Loaded with the first answer of a server that may give no reason why it ended.

/** The same response, if it is a stream with the mark at its end. */
export function withEndMark(response: Response): Response {
  const { ok, body, status, statusText, headers } = response;
  if (!ok || body === null || /^application\/json\b/i.test(headers.get('content-type') ?? '')) return response;
  const value = marked(body);
  const isPut = Reflect.defineProperty(response, 'body', { value, configurable: true }) && response.body === value;
  return isPut ? response : new Response(value, { status, statusText, headers }); // slower, and without its `url`
}

/** The same bytes, with the mark in front of `[DONE]`. Delays only bytes that may begin that line. */
function marked(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let rest = none;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= body.getReader(); // not before: the response may be read in another way
        for (;;) {
          const { done, value } = await reader.read();
          const bytes = done ? rest : rest.length === 0 ? value : concatenated([rest, value]);
          const ready = done ? bytes : bytes.subarray(0, bytes.length - heldBack(bytes));
          rest = bytes.subarray(ready.length);
          if (ready.length > 0) controller.enqueue(withMark(ready));
          if (done) return controller.close();
          if (ready.length > 0) return undefined;
        }
      },
      cancel: (reason) => (reader ?? body).cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

const none: Uint8Array = /* @__PURE__ */ new Uint8Array();
const longest = 24;

/** Number of bytes at the end that may begin the line. */
function heldBack(bytes: Uint8Array): number {
  const tail = tailOf(bytes);
  const line = tail.slice(Math.max(tail.lastIndexOf('\n'), tail.lastIndexOf('\r')) + 1);
  const isPart = line !== '' && ['data: [DONE]', 'data:[DONE]'].some((end) => end !== line && end.startsWith(line));
  return isPart ? line.length : 0;
}

function withMark(bytes: Uint8Array): Uint8Array {
  const [, line] = /(?:^|[\r\n])(data: ?\[DONE\][\r\n]*)$/.exec(tailOf(bytes)) ?? [];
  if (line === undefined) return bytes;
  const place = bytes.length - line.length;
  return concatenated([bytes.subarray(0, place), encoder.encode(markLine), bytes.subarray(place)]);
}

const markLine = `data: {"object":"${endMark}"}\n\n`;
const encoder = /* @__PURE__ */ new TextEncoder();

/** As text in which each character is a byte. */
function tailOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(-longest));
}

function concatenated(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const piece of pieces) {
    whole.set(piece, place);
    place += piece.length;
  }
  return whole;
}
