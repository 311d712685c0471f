import { expect, it } from 'vitest';
import { textOf } from '../model/message.ts';
import type { Message } from '../model/message.ts';
import { scriptedModel } from '../testing/index.ts';
import type { Thread } from '../thread/thread.ts';
import {
  gate,
  memoryThread,
  play,
  resultsOf,
  streamedModel,
  telling,
  call,
  finish,
  tool,
  toolsetOf,
  until,
} from '../test-kit/runs.ts';
import type { Gate } from '../test-kit/runs.ts';
import { resume } from './lazy-run.ts';
import { messagesOf } from '../thread/messages.ts';

const textsOf = (messages: readonly Message[]): readonly string[] => messages.map(({ parts }) => textOf(parts));
const ask = () => 'ask' as const;

/** A thread whose append of one text waits for the gate. */
function slowThread(text: string): { readonly thread: Thread; readonly reached: Gate; readonly stored: Gate } {
  const [reached, stored] = [gate(), gate()];
  const thread = telling(memoryThread(), async ({ parts }) => {
    if (textOf(parts) !== text) return;
    reached.open();
    await stored;
  });
  return { thread, reached, stored };
}

it('a message sent while the last answer was being stored was accepted, and lost', async () => {
  const { thread, reached, stored } = slowThread('First.');
  const played = play([{ text: 'First.' }, { text: 'Second.' }], [], { thread });
  await reached;
  played.send('One more.');
  played.send('And another.');
  stored.open();
  const { status, text, messages } = await played.result;
  expect([status, text]).toEqual(['complete', 'Second.']);
  expect(textsOf(messages)).toEqual(['Go.', 'First.', 'One more.', 'And another.', 'Second.']);
  expect(textsOf(await messagesOf(thread))).toEqual(textsOf(messages));
  expect(() => played.send('Too late.')).toThrow(expect.objectContaining({ code: 'run_ended' }));
});

it('a message sent while a run that had failed was being stored was lost with it', async () => {
  const { thread, reached, stored } = slowThread('First.');
  const played = play([{ text: 'First.', breaks: 'truncated' }], [], { thread, limits: { retries: 0 } });
  await reached;
  played.send('One more.');
  stored.open();
  const { status, messages } = await played.result;
  expect([status, textsOf(messages)]).toEqual(['error', ['Go.', 'First.', 'One more.']]);
  expect(textsOf(await messagesOf(thread))).toEqual(['Go.', 'First.', 'One more.']);
});

it('a message sent while the thread of a complete run was being read was lost', async () => {
  const thread = memoryThread();
  await play([{ text: 'First.' }], [], { thread }).result;
  for (const each of [thread, memoryThread()]) {
    const resumed = resume({ model: scriptedModel([{ text: 'Second.' }]), toolset: toolsetOf([]), thread: each });
    resumed.send('One more.');
    expect(await resumed.result).toMatchObject({ status: 'complete', text: 'Second.' });
    expect(textsOf(await messagesOf(each)).slice(-2)).toEqual(['One more.', 'Second.']);
  }
});

it('a message is in the result of a run whose thread takes nothing any more', async () => {
  const { thread, reached, stored } = slowThread('First.');
  const played = play([{ text: 'First.' }], [], { thread });
  await reached;
  played.send('One more.');
  stored.fail(new Error('disk full'));
  const { status, error, messages } = await played.result;
  expect([status, error?.message]).toEqual(['error', 'disk full']);
  expect(textsOf(messages)).toContain('One more.');
});

const asking = (how: 'calls' | 'begins a run') =>
  tool('outer', {
    async execute(_, __, context) {
      await context.call('wait', {});
      if (how === 'calls') return (await context.call('save', {})).output;
      const model = scriptedModel([{ calls: [{ name: 'save' }] }, { text: 'inner' }]);
      const { status, messages } = await (await context.run({ messages: 'Save.', model })).result;
      return status === 'complete' ? resultsOf(messages)[0]?.output : status;
    },
  });

it.each([
  ['stop', 'calls', 'Tool "save" was not run: the run was stopped.'],
  ['stop', 'begins a run', 'needs-approval'],
  ['send', 'calls', 'Tool "save" was not run: the user did not approve it, and wrote a new message instead.'],
  ['send', 'begins a run', 'Tool "save" was not run: the user did not approve it, and wrote a new message instead.'],
] as const)('after %s, a tool that %s opened a question that nobody was there to answer', async (how, what, output) => {
  const waited = gate();
  const tools = [asking(what), tool('save', { effects: 'write' }), tool('wait', { execute: () => waited })];
  const played = play([{ calls: [{ name: 'outer' }] }, { text: 'Done.' }], tools, {
    policy: ({ name }) => (name === 'save' ? 'ask' : 'allow'),
  });
  await until(played, 'tool-start');
  await Promise.resolve();
  if (how === 'stop') played.stop();
  else played.send('Never mind.');
  waited.open();
  const { status, messages } = await played.result;
  expect(status).toBe(how === 'stop' ? 'stopped' : 'complete');
  expect(resultsOf(messages)[0]?.output).toBe(output);
});

it('after send, calls of the turn that were not judged yet were asked about, and the message waited for the answer', async () => {
  const rest = gate();
  const model = streamedModel([
    () => [call('1', 'look'), rest, call('2', 'save'), finish('tool-calls')],
    () => [{ type: 'text-delta', text: 'Done.' }, finish()],
  ]);
  const tools = [tool('look'), tool('save', { effects: 'write' })];
  const played = play(model, tools, { policy: ({ name }) => (name === 'save' ? ask() : 'allow') });
  await until(played, 'tool-end');
  played.send('Never mind.');
  rest.open();
  const { status, messages } = await played.result;
  expect(status).toBe('complete');
  expect(resultsOf(messages).map(({ code }) => code)).toEqual([undefined, 'tool_cancelled']);
});

it('the turn that reads what was sent may ask again', async () => {
  const waited = gate();
  const tools = [
    tool('wait', { execute: () => waited }),
    tool('outer', { execute: async (_, __, { call: make }) => (await make('save', {})).output }),
    tool('save', { effects: 'write' }),
  ];
  const script = [{ calls: [{ name: 'wait' }] }, { calls: [{ name: 'outer' }] }, { text: 'Done.' }];
  const played = play(script, tools, { policy: ({ name }) => (name === 'save' ? ask() : 'allow') });
  await until(played, 'tool-start');
  played.send('Save it.');
  waited.open();
  played.answer((await until(played, 'approval-request')).questionId, 'once');
  expect(resultsOf((await played.result).messages).map(({ output }) => output)).toEqual([null, 'save']);
});

it('a message sent to a run that was aborted before it had its thread was accepted, and lost', async () => {
  const resumed = resume({ model: scriptedModel([{}]), toolset: toolsetOf([]), thread: memoryThread() });
  resumed.send('Wait.');
  resumed.abort();
  const { status, messages } = await resumed.result;
  expect([status, textsOf(messages)]).toEqual(['aborted', ['Wait.']]);
});
