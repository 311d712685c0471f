import { isObject } from '@utensil/core';
import { type ServerSentEvent, sseParser } from './sse-parser.ts';

/** The body of a response, from any `fetch`. */
type Body = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string> | null;

/**
 * Reads the events of a streamed response as parsed data: `{ error }` for an event named `error`, and the text `[DONE]`
 * unchanged. The SDK's stream hides `[DONE]`, and allocates several promises per event.
 */
export function readEvents({ body }: { readonly body: Body }): AsyncIterable<unknown> {
  return { [Symbol.asyncIterator]: () => iterate(sourceOf(body)) };
}

/** Iterates by hand: a generator allocates several promises per event. */
function iterate(source: Source): AsyncIterator<unknown> {
  const decoder = new TextDecoder();
  const parse = sseParser();
  let events: ServerSentEvent[] = []; // last one first: `shift` would move the others
  let isOver = false;

  async function readChunk(): Promise<void> {
    const { done, value } = await source.read();
    if (done === true) {
      isOver = true;
      events = parse(`${decoder.decode()}\n\n`).toReversed(); // the last event may lack its empty line
    } else events = parse(typeof value === 'string' ? value : decoder.decode(value, { stream: true })).toReversed();
  }

  async function next(): Promise<IteratorResult<unknown>> {
    while (events.length === 0 && !isOver) await readChunk();
    const event = events.pop();
    if (event === undefined) return ended;
    if (event.data === '[DONE]') {
      finish();
      drain(source).catch(() => undefined);
      return { done: false, value: event.data };
    }
    try {
      return { done: false, value: dataOf(event) };
    } catch (error) {
      if (isOver) return ended; // the stream is truncated
      throw error;
    }
  }

  function finish(): void {
    events = [];
    isOver = true;
  }

  return {
    next,
    async return() {
      finish();
      cancelQuietly(source);
      return ended;
    },
  };
}

const drainLimits = { ms: 200, chunks: 16 };

/**
 * Drains a response after `[DONE]`, within `drainLimits`: a connection can be reused only if its response was read to the
 * end, and some servers send that a little later.
 */
async function drain(source: Source): Promise<void> {
  const timer = setTimeout(cancelQuietly, drainLimits.ms, source);
  if (typeof timer === 'object' && 'unref' in timer) timer.unref();
  try {
    for (let left = drainLimits.chunks; left > 0 && (await source.read()).done !== true; left--);
  } finally {
    clearTimeout(timer);
    cancelQuietly(source);
  }
}

/** Nobody waits for it: some streams cannot be cancelled while they are read. */
function cancelQuietly(source: Source): void {
  source.cancel().catch(() => undefined);
}

const ended = { done: true, value: undefined } as const;

/** Members of a stream's reader that are used here. */
interface Source {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | string | undefined }>;
  cancel(): Promise<unknown>;
}

function sourceOf(body: Body): Source {
  if (body && 'getReader' in body) return body.getReader();
  const chunks = (body ?? noChunks())[Symbol.asyncIterator]();
  const cancel = async (): Promise<void> => {
    (body as { destroy?: () => void } | null)?.destroy?.(); // of Node.js: `return` waits for the chunk that is awaited
    await chunks.return?.();
  };
  return { read: () => chunks.next(), cancel };
}

async function* noChunks(): AsyncGenerator<never> {}

function dataOf({ event, data }: ServerSentEvent): unknown {
  const parsed: unknown = JSON.parse(data);
  return event === 'error' && !(isObject(parsed) && parsed['error']) ? { error: parsed } : parsed;
}
