import { expect, it } from 'vitest';
import { arrangeHistory } from '../../model/arrangement.ts';
import {
  call,
  eventsOf,
  finish,
  gate,
  marksOf,
  memoryThread,
  play,
  resultsOf,
  streamedModel,
  tool,
  until,
} from '../../test-kit/runs.ts';
import { messagesOf } from '../../thread/messages.ts';

it('[S0-16] begins a call when its input is complete, while the turn is still being streamed', async () => {
  const rest = gate();
  const model = streamedModel([() => [call('a', 'look'), rest, call('b', 'look'), finish('tool-calls')]]);
  const played = play(model, [tool('look')]);
  const started = await until(played, 'tool-start');
  expect(started.callId).toBe('a');
  expect((await until(played, 'tool-end')).callId).toBe('a');
  rest.open();
  const { status, messages } = await played.result;
  expect(status).toBe('complete');
  expect(resultsOf(messages).map(({ callId }) => callId)).toEqual(['a', 'b']);
});

it('stores the turn so far before a call that changes something begins, and the whole one in its place', async () => {
  const rest = gate();
  const thread = memoryThread();
  const model = streamedModel([
    () => [{ type: 'text-delta', text: 'Saving.' }, call('a', 'save'), rest, call('b', 'look'), finish('tool-calls')],
  ]);
  let stored: unknown;
  const save = tool('save', {
    effects: 'write',
    execute: () => {
      stored = thread.log.at(-1);
      rest.open();
    },
  });
  const { status, messages } = await play(model, [save, tool('look')], { thread }).result;
  expect(status).toBe('complete');
  expect(stored).toMatchObject({ incomplete: true, parts: [{ text: 'Saving.' }, { callId: 'a', title: 'save' }] });
  const kept = await messagesOf(thread);
  expect(kept).toEqual(messages);
  expect(kept[1]?.incomplete).toBeUndefined();
  expect(kept.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
  expect(marksOf(thread.marks)).toEqual([['call-begun', 'a']]);
});

it('a call that changes something waits for all before it, and none passes it, in a stream too', async () => {
  const order: string[] = [];
  const [slow, rest] = [gate(), gate()];
  const model = streamedModel([
    () => [call('1', 'slow'), call('2', 'save'), call('3', 'look'), rest, finish('tool-calls')],
  ]);
  const tools = [
    tool('slow', { execute: () => slow.then(() => order.push('slow')) }),
    tool('save', { effects: 'write', execute: () => order.push('save') }),
    tool('look', { execute: () => order.push('look') }),
  ];
  const played = play(model, tools);
  await until(played, 'tool-start');
  slow.open();
  await until(played, 'tool-end');
  rest.open();
  await played.result;
  expect(order).toEqual(['slow', 'save', 'look']);
});

it('a call that began in a stream that then breaks keeps its result; one that had not begun is answered', async () => {
  const rest = gate();
  const thread = memoryThread();
  let saved = 0;
  const model = streamedModel([() => [call('a', 'save'), call('b', 'save'), rest]]);
  const save = tool('save', {
    effects: 'write',
    execute: async () => {
      saved++;
      rest.fail(new Error('connection reset'));
      await rest.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 5)); // the run is told about the end before this call has ended
      return 'saved';
    },
  });
  const { status, error, messages } = await play(model, [save], { thread }).result;
  expect([status, error?.code, saved]).toEqual(['error', 'model_failed', 1]);
  expect(resultsOf(messages).map(({ callId, output }) => [callId, output])).toEqual([
    ['a', 'saved'],
    ['b', 'Tool "save" was not run: the answer of the model ended early.'],
  ]);
  expect(arrangeHistory(await messagesOf(thread))).toEqual(messages);
});

it('an abort in a stream answers every call that was complete, at once', async () => {
  const model = streamedModel([() => [call('a', 'deaf'), call('b', 'save'), new Promise(() => undefined)]]);
  const tools = [tool('deaf', { execute: () => new Promise(() => undefined) }), tool('save', { effects: 'write' })];
  const played = play(model, tools);
  await until(played, 'tool-start');
  played.abort();
  const { status, messages } = await played.result;
  expect(status).toBe('aborted');
  expect(resultsOf(messages).map(({ output }) => output)).toEqual([
    'Tool "deaf" was cancelled. If it ends later, its result is discarded.',
    'Tool "save" was not run: the run was aborted.',
  ]);
});

it('begins nothing before the turn is over if told so', async () => {
  const rest = gate();
  const model = streamedModel([() => [call('a', 'look'), rest, finish('tool-calls')]]);
  const played = play(model, [tool('look')], { eager: false });
  await until(played, 'tool-call');
  rest.open();
  const types = (await eventsOf(played)).map(({ type }) => type);
  expect(types.indexOf('tool-start')).toBeGreaterThan(types.indexOf('step-end'));
});

it('a call whose arguments are not JSON waits for the end of the turn: they may be truncated', async () => {
  const broken = { ...call('a', 'save'), invalidInput: '{"text": "once upon' } as const;
  const model = streamedModel([() => [call('b', 'look'), broken, finish('length')]]);
  const { messages } = await play(model, [tool('save', { effects: 'write' }), tool('look')]).result;
  expect(resultsOf(messages).map(({ callId, isError }) => [callId, isError])).toEqual([
    ['b', false],
    ['a', true],
  ]);
  expect(resultsOf(messages)[1]?.output).toContain('was truncated at the output limit');
});

it('runs as many calls at once as the run and the tool allow', async () => {
  let [now, most, mostOfOne] = [0, 0, 0];
  let ofOne = 0;
  const work = (name: string, concurrency?: number): ReturnType<typeof tool> =>
    tool(name, {
      ...(concurrency !== undefined && { concurrency }),
      async execute() {
        most = Math.max(most, ++now);
        if (name === 'one') mostOfOne = Math.max(mostOfOne, ++ofOne);
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (name === 'one') ofOne--;
        now--;
      },
    });
  const calls = Array.from({ length: 12 }, (_, index) => ({ name: index % 2 === 0 ? 'one' : 'many' }));
  const { messages } = await play([{ calls }, {}], [work('one', 1), work('many')], { limits: { concurrency: 4 } })
    .result;
  expect([most, mostOfOne]).toEqual([4, 1]);
  expect(resultsOf(messages).map(({ name }) => name)).toEqual(calls.map(({ name }) => name));
});

it('[A0-09] results come in the order of the calls whatever ends first, and one that throws touches no other', async () => {
  const times = [9, 1, 5, 0, 7, 3];
  const wait = tool('wait', {
    async execute(input) {
      const { n } = input as { n: number };
      await new Promise((resolve) => setTimeout(resolve, times[n]));
      if (n === 2) throw new Error('broken');
      return n;
    },
  });
  const calls = times.map((_, n) => ({ name: 'wait', input: { n } }));
  const { messages } = await play([{ calls }, {}], [wait]).result;
  expect(resultsOf(messages).map(({ output }) => output)).toEqual([0, 1, 'Tool execution failed: broken', 3, 4, 5]);
});
