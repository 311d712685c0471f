import { isUtensilError, messageOf } from '../base/errors.ts';
import type { UtensilError } from '../base/errors.ts';
import { toJson } from '../base/json.ts';
import { run } from '../run/lazy-run.ts';
import { emptySettings } from '../settings/settings.ts';
import { createRegistry } from '../tool/registry.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import { assert, assertEqual } from './assert.ts';
import type { ModelAnswer } from './model-answer.ts';
import { apiKey, assertFailed, read, requestOf, text, textIn, until } from './model-kit.ts';
import type { ModelCase, OpenStage, Reading } from './model-kit.ts';
import { within } from './storage-kit.ts';

const hello = { blocks: [text('Hel', 'lo.')] };
const page = `<!doctype html><title>Bad gateway</title>${'<p>The proxy is sorry.</p>\n'.repeat(2000)}`;

/** Handling of failing servers and connections, and of aborts. */
export const failureCases = {
  'keeps the parts that arrived before the connection broke': async (open) => {
    const reading = await readingOf(open, { ...hello, ends: 'truncated' });
    const error = assertFailed(reading, 'stream_truncated');
    assertEqual(textIn(reading.parts), 'Hello.', 'what came before');
    assert(error.retryable, 'the error is not retryable');
  },

  'notices an answer that does not end': async (open) => {
    const reading = await readingOf(open, { ...hello, ends: 'without-end' });
    const error = assertFailed(reading, 'stream_truncated');
    assertEqual(textIn(reading.parts), 'Hello.', 'what came before');
    assert(error.retryable, 'the error is not retryable');
  },

  'notices an answer that does not begin': async (open) => {
    assertFailed(await readingOf(open, { blocks: [], ends: 'without-end' }), 'stream_truncated');
  },

  'keeps the parts that arrived before the vendor failed': async (open) => {
    const reading = await readingOf(open, { ...hello, ends: 'error' });
    const error = assertFailed(reading, /^model_/);
    assertEqual(textIn(reading.parts), 'Hello.', 'what came before');
    assert(error.retryable, 'the error is not retryable');
  },

  'reports a refused key': async (open) => {
    const error = assertFailed(await readingOf(open, { status: 401, message: 'Bad key.' }), 'model_unauthorized');
    assert(!error.retryable, 'the error is retryable');
  },

  'reports a missing model': async (open) => {
    assertFailed(await readingOf(open, { status: 404, message: 'No such model.' }), 'model_not_found');
  },

  'reports a rate limit, and how long to wait': async (open) => {
    const stage = await open([{ status: 429, message: 'Slow down.', retryAfter: 3600 }, hello]);
    const error = assertFailed(await read(stage.model), 'model_rate_limited');
    assert(error.retryable, 'the error is not retryable');
    assertEqual(error.retryAfterMs, 3_600_000, 'the wait that the server asks for');
    assertEqual(stage.requests.length, 1, 'the requests');
  },

  'is retried by a run until the server and the connection recover': async (open) => {
    const busy = { status: 429, message: 'Slow down.', retryAfter: 0 };
    const { model, requests } = await open([
      busy,
      { ...hello, ends: 'truncated' },
      { ...busy, status: 529, message: 'Overloaded.' },
      hello,
    ]);
    const toolset = resolveToolset(createRegistry(), emptySettings, {});
    const { status, text, messages } = await run({ model, toolset, messages: 'Say hello.' }).result;
    assertEqual([status, text, messages.length], ['complete', 'Hello.', 2], 'the end of the run');
    assertEqual(requests.length, 4, 'the requests');
  },

  'reports a server failure': async (open) => {
    const error = assertFailed(await readingOf(open, { status: 500, message: 'Out of order.' }), 'model_failed');
    assert(error.retryable, 'the error is not retryable');
  },

  'reports an overloaded server': async (open) => {
    const error = assertFailed(await readingOf(open, { status: 529, message: 'Overloaded.' }), 'model_overloaded');
    assert(error.retryable, 'the error is not retryable');
  },

  'reports a conversation that is too long': async (open) => {
    const error = assertFailed(await readingOf(open, { status: 400, isTooLong: true }), 'prompt_too_long');
    assert(!error.retryable, 'the error is retryable');
  },

  'does not accept an error as an answer': async (open) => {
    const reading = await readingOf(open, { status: 200, message: 'The upstream has failed.' });
    assertFailed(reading, /^model_/, 'stream_truncated');
    assertEqual(reading.parts, [], 'the parts');
  },

  'does not accept a web page as an answer': async (open) => {
    for (const status of [200, 502]) {
      const reading = await readingOf(open, { status, page });
      const { message } = assertFailed(reading, /^model_/, ...(status === 200 ? ['stream_truncated'] : []));
      assertEqual(reading.parts, [], 'the parts');
      assert(message.length < 2000, `the error has ${message.length} characters`);
    }
  },

  'has no key in an error': async (open) => {
    const message = `The key ${apiKey} of the header Authorization: Bearer ${apiKey} is not valid.`;
    const answers: readonly ModelAnswer[] = [
      { status: 401, message },
      { status: 400, message },
      { status: 500, message },
      { status: 200, message },
      { status: 502, page: `<pre>${message}</pre>` },
    ];
    for (const answer of answers) {
      const { error } = await readingOf(open, answer);
      assert(isUtensilError(error), `the model threw an error that is not ours: ${messageOf(error)}`);
      assert(!tellAll(error).includes(apiKey), `the error for ${JSON.stringify(answer)} has the key in it`);
    }
  },

  'sends no request if it was aborted before': async (open) => {
    const stage = await open([hello]);
    const reading = await read(stage.model, requestOf(), AbortSignal.abort(new Error('enough')));
    assertFailed(reading, 'aborted');
    assertEqual([stage.requests, reading.parts], [[], []], 'the requests and parts');
  },

  'ends at once if aborted before the first byte': async (open) => {
    const stage = await open([{ blocks: [], ends: 'hangs' }, hello]);
    const controller = new AbortController();
    const reading = read(stage.model, requestOf(), controller.signal);
    await until('the request', () => stage.requests.length === 1);
    controller.abort(new Error('enough'));
    assertFailed(await reading, 'aborted');
    await until('the end of the connection', () => stage.connections() === 0);
    assertEqual(stage.requests.length, 1, 'the requests');
  },

  'ends at once if aborted in the middle of a stream': async (open) => {
    const stage = await open([{ ...hello, ends: 'hangs' }, hello]);
    const controller = new AbortController();
    const { signal } = controller;
    let seen = 0;
    const reading = (async (): Promise<Reading> => {
      try {
        for await (const part of stage.model.stream(requestOf(), { signal })) {
          if (part.type === 'text-delta') seen++;
          controller.abort(new Error('enough'));
        }
        return { parts: [] };
      } catch (error) {
        return { parts: [], error };
      }
    })();
    assertFailed(await within('the end of the stream', reading), 'aborted');
    assertEqual(seen, 1, 'the pieces of text that came');
    await until('the end of the connection', () => stage.connections() === 0);
    assertEqual(stage.requests.length, 1, 'the requests');
  },

  'closes the connection when its reader stops': async (open) => {
    const stage = await open([{ ...hello, ends: 'hangs' }]);
    for await (const _ of stage.model.stream(requestOf(), { signal: new AbortController().signal })) break;
    await until('the end of the connection', () => stage.connections() === 0);
  },
} satisfies Readonly<Record<string, ModelCase>>;

async function readingOf(open: OpenStage, answer: ModelAnswer): Promise<Reading> {
  const { model } = await open([answer]);
  return read(model);
}

/** The text of an error that a log could show. */
function tellAll(error: UtensilError): string {
  const seen: string[] = [];
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    seen.push(each.message, each.stack ?? '', JSON.stringify(toJson({ ...each })));
  }
  return seen.join('\n');
}
