import type { ModelRequest } from '@utensil/core';
import { type TextOptions, asText } from './body-text.ts';
import { readEvents } from './event-stream.ts';

/** Asks a client that was made here, in ways that take less than the SDK's: the body is a text, and the response is read without its stream. */
export async function askOwn<Event>(
  ask: (text: TextOptions) => PromiseLike<AsyncIterable<Event>>,
  body: object,
  request: ModelRequest,
): Promise<AsyncIterable<Event>> {
  const asked = ask(asText(body, request)) as object as { asResponse(): Promise<Response> }; // an `APIPromise`
  return readEvents(await asked.asResponse()) as AsyncIterable<Event>;
}
