import { isObject } from '@utensil/core';
import { endMark } from './end-mark.ts';
import { type Message, sseParser } from './sse-parser.ts';

/** The body of a response, from any `fetch`. */
type Body = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string> | null;

/**
 * Reads the events of a streamed response: their data, parsed; of an event named `error`, `{ error }`; in place of
 * `[DONE]`, the end mark. The SDK's stream hides the last two, and takes several promises for each event.
 */
export function readEvents({ body }: { readonly body: Body }): AsyncIterable<unknown> {
  return { [Symbol.asyncIterator]: () => iterate(body) };
}

/** Iterates by hand: a generator allocates several promises per event. */
function iterate(body: Body): AsyncIterator<unknown> {
  const source = sourceOf(body);
  const decoder = new TextDecoder();
  let messages: readonly Message[] = [];
  let taken = 0;
  let isOver = false;
  const parse = sseParser();

  async function readChunk(): Promise<void> {
    const { done, value } = await source.read();
    taken = 0;
    if (done === true) {
      isOver = true;
      messages = parse(`${decoder.decode()}\n\n`); // the last one may have no end
    } else messages = parse(typeof value === 'string' ? value : decoder.decode(value, { stream: true }));
  }

  async function next(): Promise<IteratorResult<unknown>> {
    while (taken === messages.length && !isOver) await readChunk();
    const message = messages[taken++];
    if (message === undefined) return ended;
    if (message.data === '[DONE]') {
      finish();
      readOn(source).catch(() => undefined);
      return { done: false, value: endMark };
    }
    try {
      return { done: false, value: eventOf(message) };
    } catch (error) {
      if (isOver) return ended; // the stream is truncated
      throw error;
    }
  }

  function finish(): void {
    messages = [];
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
 * Waits for the end of a response behind its `[DONE]`, which some servers send a little later: a connection that is closed before
 * that cannot be used for the next request.
 */
async function readOn(source: Source): Promise<void> {
  const cancel = (): void => void source.cancel().catch(() => undefined);
  const timer: unknown = setTimeout(cancel, patience.ms);
  (timer as { unref?: () => void }).unref?.();
  for (let left = patience.chunks; left > 0 && (await source.read()).done !== true; left--);
  clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
  cancel();
}

const patience = { ms: 1_000, chunks: 16 };

const ended = { done: true, value: undefined } as const;

/** Members of a stream's reader that are used here. */
interface Source {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | string | undefined }>;
  cancel(): Promise<unknown>;
}

function sourceOf(body: Body): Source {
  if (body === null) return { read: () => Promise.resolve(ended), cancel: () => Promise.resolve() };
  if ('getReader' in body) return body.getReader();
  const chunks = body[Symbol.asyncIterator]();
  return { read: () => chunks.next(), cancel: async () => chunks.return?.() };
}

function eventOf({ event, data }: Message): unknown {
  const parsed: unknown = JSON.parse(data);
  return event === 'error' && !(isObject(parsed) && parsed['error']) ? { error: parsed } : parsed;
}
