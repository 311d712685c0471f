import type { ModelRequest } from '@utensil/core';
import type { APIPromise } from 'openai';
import { type TextOptions, asText } from './body-text.ts';
import { readEvents } from './event-stream.ts';

/** Sends a request through a client created here: body as text, events read from the response, both cheaper than in the SDK. */
export async function askOwn<Event>(
  ask: (text: TextOptions) => PromiseLike<AsyncIterable<Event>>,
  body: object,
  request: ModelRequest,
): Promise<AsyncIterable<Event>> {
  const asked = ask(asText(body, request)) as APIPromise<AsyncIterable<Event>>; // as the SDK's clients return it
  return readEvents(await asked.asResponse()) as AsyncIterable<Event>;
}
