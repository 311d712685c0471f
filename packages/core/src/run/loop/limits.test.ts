import { afterEach, expect, it, vi } from 'vitest';
import { jsonSchema } from '../../schema/json-schema.ts';
import { textOf } from '../../model/message.ts';
import { runTool } from '../../toolset/run-tool.ts';
import {
  call,
  eventsOf,
  finish,
  memoryThread,
  play,
  resultsOf,
  streamedModel,
  tool,
  until,
} from '../../test-kit/runs.ts';
import { messagesOf } from '../../thread/messages.ts';

afterEach(() => void vi.useRealTimers());

const looking = { text: 'Let me look.', calls: [{ name: 'look' }] };
let looks = 0;
const look = tool('look', { execute: () => `found ${++looks}` });

it.each([1, 4, 50, 100])(
  '[A1-04] [S1-18] [A4-06] ends at a limit of %i steps with an answer from what it has',
  async (steps) => {
    const script = [...Array.from({ length: steps }, () => looking), { text: 'This is what I found.' }];
    const played = play(script, [look], { limits: { steps } });
    const { status, limit, text, steps: done, messages } = await played.result;
    expect([status, limit, text, done]).toEqual(['limit', 'steps', 'This is what I found.', steps + 1]);
    expect(resultsOf(messages).length).toBe(steps);
    const last = played.model.requests.at(-1);
    expect([last?.toolChoice, last?.tools]).toEqual(['none', played.model.requests[0]?.tools]);
    expect(textOf(last?.messages.at(-1)?.parts ?? [])).toContain('The limit of steps is reached.');
    expect((await eventsOf(played)).filter(({ type }) => type === 'limit')).toMatchObject([{ limit: 'steps' }]);
  },
);

it('[S2-40] has no limit of steps if it is told so', async () => {
  const script = [...Array.from({ length: 120 }, () => looking), { text: 'Done.' }];
  const { status, steps } = await play(script, [look], { limits: { steps: Infinity } }).result;
  expect([status, steps]).toEqual(['complete', 121]);
});

it('[S3-17] [D4-10] [S4-09] the user hears which limit it was, and reads an answer of the model’s own', async () => {
  const played = play([looking, { text: 'So far: found.' }], [look], { limits: { steps: 1 } });
  const events = await eventsOf(played);
  const at = events.findIndex(({ type }) => type === 'limit');
  expect(events.slice(at).some((event) => event.type === 'text-delta')).toBe(true);
  expect((await played.result).text).toBe('So far: found.');
});

it('[S4-09] [A4-06] the time of a run is a limit of its own, and ends with an answer too', async () => {
  const model = streamedModel([
    () => [{ type: 'tool-call', callId: '1', name: 'slow', input: {}, executedBy: 'us' }, finish('tool-calls')],
    () => [{ type: 'text-delta', text: 'It took too long.' }, finish()],
  ]);
  const slow = tool('slow', { execute: () => new Promise(() => undefined) });
  vi.useFakeTimers();
  const played = play(model, [slow], { limits: { timeMs: 20, steps: 99 } });
  await until(played, 'tool-start');
  await vi.advanceTimersByTimeAsync(20);
  const { status, limit, text, messages } = await played.result;
  expect([status, limit, text]).toEqual(['limit', 'time', 'It took too long.']);
  expect(resultsOf(messages)[0]?.output).toContain('was cancelled');
});

it('[S0-18] an abort between two chunks keeps the received text, marked as incomplete', async () => {
  const thread = memoryThread();
  const model = streamedModel([() => [{ type: 'text-delta', text: 'Once upon' }, new Promise(() => undefined)]]);
  const played = play(model, [], { thread });
  await until(played, 'text-delta');
  played.abort();
  expect((await played.result).status).toBe('aborted');
  expect((await messagesOf(thread)).at(-1)).toMatchObject({
    role: 'assistant',
    incomplete: true,
    parts: [{ type: 'text', text: 'Once upon' }],
  });
});

it('[A3-04] [S4-08] [S3-14] a tool has its own time limit, or the run’s; 0 means none; its signal fires, and late results are ignored', async () => {
  const heard: string[] = [];
  const deaf = (name: string, timeoutMs?: number) =>
    tool(name, {
      ...(timeoutMs !== undefined && { timeoutMs }),
      async execute(_input, _options, { signal }) {
        signal.addEventListener('abort', () => heard.push(name));
        const isOver = new Promise((resolve) => signal.addEventListener('abort', resolve));
        await (timeoutMs === 0 ? new Promise((resolve) => setTimeout(resolve, 60)) : isOver);
        return `${name} is late`;
      },
    });
  const tools = [deaf('own', 5), deaf('the_run_s'), deaf('none', 0)];
  const calls = tools.map(({ name }) => ({ name }));
  const played = play([{ calls }, {}], tools, { limits: { toolTimeMs: 10 } });
  const { messages } = await played.result;
  expect(resultsOf(messages).map(({ output }) => output)).toEqual([
    'Tool execution timed out after 5ms',
    'Tool execution timed out after 10ms',
    'none is late',
  ]);
  expect(heard).toEqual(['own', 'the_run_s']);
  expect((await eventsOf(played)).filter(({ type }) => type === 'tool-late').length).toBe(2);
});

it('[A3-04] the time of a tool is 60 seconds if nobody says anything', async () => {
  const { signal } = new AbortController();
  const times: number[] = [];
  const { setTimeout: original } = globalThis;
  globalThis.setTimeout = ((then: () => void, ms: number) => (times.push(ms), original(then, ms))) as typeof setTimeout;
  try {
    await runTool(tool('quick', { execute: async () => 'done' }), {}, { signal });
  } finally {
    globalThis.setTimeout = original;
  }
  expect(times).toContain(60_000);
});

it('[D4-09] reads of one turn run together, and one that timed out does not hold the others', async () => {
  let open = 0;
  let most = 0;
  const together = tool('together', {
    async execute() {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open--;
      return 'done';
    },
  });
  const stuck = tool('stuck', { timeoutMs: 10, execute: () => new Promise(() => undefined) });
  const calls = [{ name: 'stuck' }, { name: 'together' }, { name: 'together' }, { name: 'together' }];
  const { messages } = await play([{ calls }, {}], [together, stuck]).result;
  expect(most).toBe(3);
  expect(resultsOf(messages).map(({ isError }) => isError)).toEqual([true, false, false, false]);
});

it('[A4-07] a run is cancelled while a tool works: the call is answered, and nothing is waited for', async () => {
  const stuck = tool('stuck', { execute: () => new Promise(() => undefined) });
  const played = play([{ calls: [{ name: 'stuck' }] }], [stuck]);
  await until(played, 'tool-start');
  played.abort();
  const { status, messages } = await played.result;
  expect([status, resultsOf(messages).length]).toEqual(['aborted', 1]);
});

it('[A4-06] asks at a limit whether to go on, and goes on for as much again', async () => {
  const asked: string[] = [];
  const onLimit = async (limit: string): Promise<boolean> => asked.push(limit) < 3;
  const script = [...Array.from({ length: 6 }, () => looking), { text: 'Enough.' }];
  const { status, limit, text, steps } = await play(script, [look], { limits: { steps: 2 }, onLimit }).result;
  expect([status, limit, text, steps, asked]).toEqual(['limit', 'steps', 'Enough.', 7, ['steps', 'steps', 'steps']]);
});

it('has its last turn if the question at a limit fails, and none if it is stopped meanwhile', async () => {
  const failing = () => Promise.reject(new Error('no screen'));
  const limits = { steps: 1 };
  const first = await play([looking, { text: 'Enough.' }], [look], { limits, onLimit: failing }).result;
  expect([first.status, first.text]).toEqual(['limit', 'Enough.']);
  const stopped = play([looking], [look], { limits, onLimit: () => (stopped.stop(), false) });
  expect((await stopped.result).status).toBe('stopped');
});

it('waits for no answer at a limit once the time is over, or the run is stopped', async () => {
  vi.useFakeTimers();
  const onLimit = () => {
    void vi.advanceTimersByTimeAsync(20);
    return new Promise<boolean>(() => undefined);
  };
  const late = await play([looking, { text: 'Enough.' }], [look], { limits: { steps: 1, timeMs: 20 }, onLimit }).result;
  expect([late.status, late.limit, late.text]).toEqual(['limit', 'steps', 'Enough.']);
  const stopped = play([looking], [look], { limits: { steps: 1 }, onLimit: () => (stopped.stop(), onLimit()) });
  expect((await stopped.result).status).toBe('stopped');
});

it('does not ask whether to go on for as much again as nothing', async () => {
  const { status, text } = await play([{ text: 'Enough.' }], [look], { limits: { steps: 0 }, onLimit: () => true })
    .result;
  expect([status, text]).toEqual(['limit', 'Enough.']);
});

it('runs one call at a time at least, and each at least once', async () => {
  const one = tool('one', { concurrency: 0 });
  const calls = [{ name: 'one' }, { name: 'one', input: { n: 2 } }];
  const { messages } = await play([{ calls }, {}], [one], { limits: { concurrency: 0, repeats: 0 } }).result;
  expect(resultsOf(messages).map(({ output }) => output)).toEqual(['one', 'one']);
});

it('takes a structured answer in the last turn after the time is over', async () => {
  const schema = jsonSchema({ type: 'object', properties: { n: { type: 'number' } } });
  const stuck = tool('stuck', { execute: () => new Promise(() => undefined) });
  const model = streamedModel([
    () => [call('1', 'stuck'), finish('tool-calls')],
    () => [call('2', 'final_answer', { n: 1 }), finish('tool-calls')],
  ]);
  vi.useFakeTimers();
  const played = play(model, [stuck], { limits: { timeMs: 20 }, output: schema });
  await until(played, 'tool-start');
  await vi.advanceTimersByTimeAsync(20);
  const { status, limit, value } = await played.result;
  expect([status, limit, value]).toEqual(['limit', 'time', { n: 1 }]);
});
