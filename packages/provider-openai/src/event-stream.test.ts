import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { ModelPart } from '@utensil/core';
import { sse } from '@utensil/tooling-loopback';
import * as fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openaiCompatible } from './compatible/compatible.ts';
import { readEvents } from './event-stream.ts';

const encoder = new TextEncoder();

async function eventsOf(body: Parameters<typeof readEvents>[0]['body']): Promise<readonly unknown[]> {
  const events: unknown[] = [];
  for await (const event of readEvents({ body })) events.push(event);
  return events;
}

async function* pieces(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* chunks;
}

const anEvent = fc.oneof(fc.jsonValue(), fc.record({ text: fc.string({ unit: 'binary' }) }));

it('reads the events of any text, however its bytes are cut', async () => {
  const cuts = fc.array(fc.nat(2_000), { maxLength: 12 });
  const endings = fc.constantFrom('\n', '\r\n', '\r');
  await fc.assert(
    fc.asyncProperty(fc.array(anEvent, { maxLength: 5 }), cuts, endings, async (events, offsets, ending) => {
      const texts = [...events.map((event) => JSON.stringify(event)), '', '[DONE]', '{"behind":"it"}'];
      const text = sse(texts.map((data) => ({ data }))).replaceAll('\n', ending);
      const bytes = encoder.encode(text);
      const places = [0, ...offsets.filter((each) => each < bytes.length).sort((a, b) => a - b), bytes.length];
      const parts = places.slice(1).map((place, index) => bytes.slice(places[index], place));
      const expected = [...(JSON.parse(JSON.stringify(events)) as unknown[]), '[DONE]'];
      expect(await eventsOf(new Blob(parts).stream())).toEqual(expected);
      expect(await eventsOf(pieces(...parts))).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

it('gives the whole events of a stream that is truncated anywhere, and no error', async () => {
  const text = sse([{ data: { a: 'x' } }, { data: { b: [1, 2] } }, { data: '[DONE]' }]);
  const ends = [...text.matchAll(/\n\n/g)].map(({ index }) => index);
  for (let length = 0; length <= text.length; length++) {
    const whole = [{ a: 'x' }, { b: [1, 2] }, '[DONE]'].slice(0, ends.filter((end) => end <= length).length);
    expect(await eventsOf(pieces(text.slice(0, length)))).toEqual(whole); // also without the empty line behind the last
  }
  expect(await eventsOf(null)).toEqual([]);
});

it('throws at an event in the middle that is no JSON, behind those before it', async () => {
  const events = readEvents({ body: pieces('data: {"a":1}\n\ndata: {"b":\n\ndata: {"c":1}\n\n') })[
    Symbol.asyncIterator
  ]();
  expect(await events.next()).toEqual({ done: false, value: { a: 1 } });
  await expect(events.next()).rejects.toThrow(SyntaxError);
});

it('tells the data of an event named error from an answer', async () => {
  const text = 'event: error\ndata: {"message":"Busy"}\n\nevent: error\ndata: {"error":"Busy","choices":[]}\n\n';
  expect(await eventsOf(pieces(text))).toEqual([{ error: { message: 'Busy' } }, { error: 'Busy', choices: [] }]);
});

it('skips unknown fields and comments, and joins lines of data', async () => {
  expect(await eventsOf(pieces(': hello\nretry: soon\nfoo: bar\ndata: [1,\ndata:2]\n\n'))).toEqual([[1, 2]]);
});

it('throws at an event of more than 2 ** 26 characters', async () => {
  const million = 'x'.repeat(2 ** 20);
  const endless = Array.from({ length: 65 }, () => million);
  await expect(eventsOf(pieces('data: "', ...endless))).rejects.toThrow('more than 67108864 characters');
});

it('waits a while for the end of a response behind its events, and then cancels it', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const cancelled = vi.fn<() => void>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(sse([{ data: '[DONE]' }]))),
    cancel: cancelled,
  });
  expect(await eventsOf(body)).toEqual(['[DONE]']);
  expect(cancelled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(cancelled).toHaveBeenCalledOnce();
});

/** A stream without an end, and the number of its chunks that were read. */
function endless(data: string) {
  const read = { chunks: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => controller.enqueue(encoder.encode(sse([{ data: read.chunks++ === 0 ? data : '1' }]))),
      cancel: () => void (read.isCancelled = true),
    },
    { highWaterMark: 0 },
  );
  return { body, read };
}

it('reads a part of a response that goes on behind its end', async () => {
  const { body, read } = endless('[DONE]');
  expect(await eventsOf(body)).toEqual(['[DONE]']);
  await expect.poll(() => read).toEqual({ chunks: 17, isCancelled: true });
});

it('destroys a stream of Node.js that stays open behind its end', async () => {
  const body = new Readable({ read: () => undefined });
  body.push(sse([{ data: '[DONE]' }]));
  expect(await eventsOf(body)).toEqual(['[DONE]']);
  await expect.poll(() => body.destroyed).toBe(true);
});

it('cancels a response whose reader leaves', async () => {
  const { body, read } = endless('0');
  for await (const event of readEvents({ body })) if (event === 1) break;
  await expect.poll(() => read).toEqual({ chunks: 2, isCancelled: true });
});

it('uses a connection again if its response ends a little later than its events', async () => {
  let connections = 0;
  const hello = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse([{ data: hello }, { data: '[DONE]' }]));
      void setTimeout(5).then(() => response.end());
    });
  }).on('connection', () => connections++);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const model = openaiCompatible({ baseURL: url, model: 'm' });
  const parts: ModelPart[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const { signal } = new AbortController();
    const request = { system: '', messages: [], tools: [], toolChoice: 'auto' } as const;
    for await (const part of model.stream(request, { signal })) parts.push(part);
    await setTimeout(20); // a tool runs
  }
  server.closeAllConnections();
  server.close();
  expect(parts.filter(({ type }) => type === 'finish')).toHaveLength(10);
  expect(connections).toBeLessThanOrEqual(5); // of one that is closed at once, ten
});
