import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { platform } from '../../base/environment.ts';
import type { Message } from '../../model/message.ts';
import type { ModelPart } from '../../model/model.ts';
import { createRecords } from '../../records/records.ts';
import type { Clock } from '../../thread/clock.ts';
import { messagesOf } from '../../thread/messages.ts';
import { memoryThread as memoryThreadOf } from '../../thread/memory-thread.ts';
import { openThread } from '../../thread/open-thread.ts';
import type { Thread } from '../../thread/thread.ts';
import {
  call,
  eventsOf,
  finish,
  gate,
  memoryThread,
  play,
  streamedModel,
  telling,
  tool,
  toolsetOf,
  until,
} from '../../test-kit/runs.ts';
import { resume } from '../lazy-run.ts';

const delta = 'Ten words or so, as a model writes them in a second. ';

/** A stream of ten minutes, with a part each second of the clock that it moves. */
function longStream(): {
  readonly model: ReturnType<typeof streamedModel>;
  readonly environment: ReturnType<typeof platform>;
} {
  let time = 1_000_000;
  function* parts(): Iterable<ModelPart> {
    for (let second = 0; second < 600; second++) {
      time += 1_001;
      yield { type: 'text-delta', text: delta };
    }
    yield finish();
  }
  return { model: streamedModel([parts]), environment: { ...platform(), now: () => time } };
}

interface Keeping {
  readonly thread: Thread;
  /** Stored messages of the run. */
  stored(): Promise<readonly unknown[]>;
}

function inMemory(): Keeping {
  const thread = memoryThreadOf('long');
  return { thread, stored: async () => (await thread.read()).entries };
}

function inRecords(): Keeping {
  const records = createRecords(memoryStorage());
  async function stored(): Promise<readonly unknown[]> {
    const kept: unknown[] = [];
    for await (const record of records.list(['threads', 'long', 'messages'])) kept.push(record);
    const draft = await records.get(['threads', 'long', 'draft']);
    return draft === undefined ? kept : [...kept, draft];
  }
  return { thread: openThread(records, 'long'), stored };
}

it.each([
  ['records', inRecords],
  ['memory', inMemory],
])('an answer of ten minutes left 600 entries and events, each with all of its text so far: in %s', async (_, open) => {
  const { thread, stored } = open();
  const { model, environment } = longStream();
  let drafts = 0;
  const counted = telling(thread, ({ incomplete }) => {
    if (incomplete === true) drafts++;
  });
  const events = await eventsOf(play(model, [], { thread: counted, environment }));
  expect(drafts).toBe(600);
  expect(events.filter(({ type }) => type === 'message')).toHaveLength(2);
  const kept = await stored();
  expect((await thread.read()).entries).toHaveLength(4); // the beginning of the run, its two messages, and its end
  expect(JSON.stringify(kept).length).toBeLessThan(600 * delta.length + 2_000);
  expect((await messagesOf(thread)).map(({ incomplete }) => incomplete)).toEqual([undefined, undefined]);
});

/** A clock on which the thread's owner has been silent for hours. */
function hoursLater(): Clock {
  let elapsed = 0;
  return {
    now: () => Date.now() + 10_000_000,
    elapsed: () => (elapsed += 60_000),
    after(_, then) {
      const timer = setTimeout(then);
      return () => clearTimeout(timer);
    },
  };
}

it('what was drafted when the program ended is in the thread, once, and in its place', async () => {
  const records = createRecords(memoryStorage());
  const { environment } = longStream();
  let time = environment.now();
  const rest = gate();
  const model = streamedModel([
    function* () {
      for (let second = 0; second < 5; second++) {
        time += 1_001;
        yield { type: 'text-delta', text: delta } as const;
      }
      yield rest;
    },
  ]);
  const played = play(model, [], {
    thread: openThread(records, 'cut'),
    environment: { ...environment, now: () => time },
  });
  let deltas = 0;
  for await (const { type } of played.events()) if (type === 'text-delta' && ++deltas === 5) break;
  const later = openThread(records, 'cut', { clock: hoursLater() });
  await expect
    .poll(async () => (await messagesOf(later)).at(-1)?.parts)
    .toEqual([{ type: 'text', text: delta.repeat(5) }]);
  await play([{ text: 'Anew.' }], [], { thread: later, messages: 'Again.' }).result;
  const kept = await messagesOf(openThread(records, 'cut'));
  expect(kept.map(({ role, incomplete }) => [role, incomplete ?? false])).toEqual([
    ['user', false],
    ['assistant', true],
    ['user', false],
    ['assistant', false],
  ]);
  rest.open();
  await played.result;
});

it('results that came while the turn was still being streamed were stored twice', async () => {
  const rest = gate();
  const thread = memoryThread();
  const model = streamedModel([() => [call('a', 'save'), rest, call('b', 'look'), finish('tool-calls')]]);
  const played = play(model, [tool('save', { effects: 'write' }), tool('look')], { thread });
  await until(played, 'tool-end');
  rest.open();
  const events = await eventsOf(played);
  const stored = thread.log.filter(({ role }) => role === 'tool').map(({ id }) => id);
  expect(new Set(stored).size).toBe(stored.length);
  const told = events.flatMap((event) =>
    event.type === 'message' && event.message.role === 'tool' ? [event.message.id] : [],
  );
  expect(told).toEqual(stored);
});

it('results of a truncated turn were stored again by the run that resumed it', async () => {
  const cut: readonly Message[] = [
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 1 },
    {
      id: 'a',
      role: 'assistant',
      incomplete: true,
      createdAt: 2,
      parts: ['1', '2'].map((callId) => ({ type: 'tool-call', callId, name: 'look', input: {}, executedBy: 'us' })),
    },
    {
      id: 'r',
      role: 'tool',
      createdAt: 3,
      parts: [{ type: 'tool-result', callId: '1', name: 'look', output: 1, modelParts: [], isError: false }],
    },
  ];
  const thread = memoryThread(cut);
  await resume({ model: streamedModel([() => [finish()]]), toolset: toolsetOf([tool('look')]), thread }).result;
  expect(thread.log.filter(({ id }) => id === 'r')).toHaveLength(1);
});
