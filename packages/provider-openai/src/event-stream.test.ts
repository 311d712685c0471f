import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { ModelPart } from '@utensil/core';
import { sse } from '@utensil/tooling-loopback';
import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { openaiCompatible } from './compatible/compatible.ts';
import { endMark } from './end-mark.ts';
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
      const expected = [...(JSON.parse(JSON.stringify(events)) as unknown[]), endMark];
      expect(await eventsOf(new Blob(parts).stream())).toEqual(expected);
      expect(await eventsOf(pieces(...parts))).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

it('gives what is whole of a stream that broke off at any place, and no error', async () => {
  const text = sse([{ data: { a: 'x' } }, { data: { b: [1, 2] } }, { data: '[DONE]' }]);
  const whole = [{ a: 'x' }, { b: [1, 2] }, endMark];
  for (let length = 0; length <= text.length; length++) {
    const events = await eventsOf(pieces(text.slice(0, length)));
    expect(events).toEqual(whole.slice(0, events.length));
  }
  expect(await eventsOf(pieces(text.trimEnd()))).toEqual(whole); // without an empty line behind the last
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

it('passes over fields that nobody knows, joins lines of data, and ends at an event without an end', async () => {
  expect(await eventsOf(pieces(': hello\nretry: soon\nfoo: bar\ndata: [1,\ndata:2]\n\n'))).toEqual([[1, 2]]);
  const million = 'x'.repeat(2 ** 20);
  const endless = Array.from({ length: 65 }, () => million);
  await expect(eventsOf(pieces('data: "', ...endless))).rejects.toThrow('more than 67108864 characters');
});

it('waits a while for the end of a response behind its events, and then cancels it', async () => {
  vi.useFakeTimers();
  const cancelled = vi.fn<() => void>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(sse([{ data: '[DONE]' }]))),
    cancel: cancelled,
  });
  expect(await eventsOf(body)).toEqual([endMark]);
  expect(cancelled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(cancelled).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

it('does not read all of a response that goes on behind its end, nor of one that nobody reads', async () => {
  let pulled = 0;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(encoder.encode(sse([{ data: pulled++ === 0 ? '[DONE]' : '1' }]))),
    });
  expect(await eventsOf(endless())).toEqual([endMark]);
  await setTimeout(20);
  expect(pulled).toBeLessThan(30);
  pulled = 1;
  for await (const event of readEvents({ body: endless() })) if (event === 1) break;
  const before = pulled;
  await setTimeout(20);
  expect(pulled).toBe(before);
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
  expect(connections).toBeLessThanOrEqual(3);
});
