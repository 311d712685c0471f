import { isObject } from '@utensil/core';
import { endMark } from './end-mark.ts';
import { type ServerSentEvent, sseParser } from './sse-parser.ts';

/** The body of a response, from any `fetch`. */
type Body = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string> | null;

/**
 * Reads the events of a streamed response as parsed data: `{ error }` for an event named `error`, the end mark for
 * `[DONE]`. The SDK's stream hides the mark, and allocates several promises per event.
 */
export function readEvents({ body }: { readonly body: Body }): AsyncIterable<unknown> {
  return { [Symbol.asyncIterator]: () => iterate(body) };
}

/** Iterates by hand: a generator allocates several promises per event. */
function iterate(body: Body): AsyncIterator<unknown> {
  const source = sourceOf(body);
  const decoder = new TextDecoder();
  let events: readonly ServerSentEvent[] = [];
  let taken = 0;
  let isOver = false;
  const parse = sseParser();

  async function readChunk(): Promise<void> {
    const { done, value } = await source.read();
    taken = 0;
    if (done === true) {
      isOver = true;
      events = parse(`${decoder.decode()}\n\n`); // the last event may lack its empty line
    } else events = parse(typeof value === 'string' ? value : decoder.decode(value, { stream: true }));
  }

  async function next(): Promise<IteratorResult<unknown>> {
    while (taken === events.length && !isOver) await readChunk();
    const event = events[taken++];
    if (event === undefined) return ended;
    if (event.data === '[DONE]') {
      finish();
      drain(source).catch(() => undefined);
      return { done: false, value: endMark };
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
    return() {
      finish();
      source.cancel().catch(() => undefined); // nobody waits: some streams cannot be cancelled while they are read
      return Promise.resolve(ended);
    },
  };
}

/**
 * Drains a response after `[DONE]`, for at most 0.2 seconds and 16 chunks: a connection can be reused only if its response was
 * read to the end, and some servers send that a little later.
 */
async function drain(source: Source): Promise<void> {
  const cancel = (): void => void source.cancel().catch(() => undefined);
  const timer = setTimeout(cancel, drainLimits.ms);
  if (typeof timer === 'object' && 'unref' in timer) timer.unref();
  try {
    for (let left = drainLimits.chunks; left > 0 && (await source.read()).done !== true; left--);
  } finally {
    clearTimeout(timer);
    cancel();
  }
}

const drainLimits = { ms: 200, chunks: 16 };

const ended = { done: true, value: undefined } as const;

/** Members of a stream's reader that are used here. */
interface Source {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | string | undefined }>;
  cancel(): Promise<unknown>;
}

function sourceOf(body: Body): Source {
  if (!body) return { read: () => Promise.resolve(ended), cancel: () => Promise.resolve() };
  if ('getReader' in body) return body.getReader();
  const chunks = body[Symbol.asyncIterator]();
  const cancel = async (): Promise<void> => {
    (body as { destroy?: () => void }).destroy?.(); // of Node.js: `return` waits for the chunk that is awaited
    await chunks.return?.();
  };
  return { read: () => chunks.next(), cancel };
}

function dataOf({ event, data }: ServerSentEvent): unknown {
  const parsed: unknown = JSON.parse(data);
  return event === 'error' && !(isObject(parsed) && parsed['error']) ? { error: parsed } : parsed;
}
