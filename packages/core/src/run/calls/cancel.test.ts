import { memoryStorage } from '@utensil/storage-memory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textOf } from '../../model/message.ts';
import { createRecords } from '../../records/records.ts';
import { scriptedModel } from '../../testing/scripted-model.ts';
import { eventsOf, gate, play, resultsOf, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import type { StoredEntry } from '../../thread/entry.ts';
import { openQuestions } from '../../thread/open-questions.ts';
import { openThread } from '../../thread/open-thread.ts';
import type { Thread } from '../../thread/thread.ts';
import type { RunEvent } from '../../tool/run-event.ts';
import { emptySettings } from '../../settings/settings.ts';
import { option } from '../../tool/option.ts';
import { createRegistry } from '../../tool/registry.ts';
import type { Tool } from '../../tool/tool.ts';
import { resolveToolset } from '../../toolset/toolset.ts';
import { permissions } from '../permission/policy.ts';
import type { Policy } from '../permission/policy.ts';
import type { Run } from '../run.ts';
import { resume } from '../lazy-run.ts';

const newThread = (): Thread => openThread(createRecords(memoryStorage()), 't');

/** The thread as a process finds it that comes after a crash. */
async function copyOf(entries: readonly StoredEntry[]): Promise<Thread> {
  const thread = newThread();
  for (const { entry } of entries) await thread.append([entry]);
  return thread;
}

/** A tool that ignores its signal, and never ends. */
const deaf = (more: Partial<Tool> = {}): Tool => tool('deaf', { timeoutMs: 0, execute: () => gate(), ...more });

const oneCall = (name = 'deaf') => [{ calls: [{ name, callId: 'c' }] }, { text: 'Done.' }];

const shown = async ({ result }: Run): Promise<readonly (readonly [code: string | undefined, text: string])[]> =>
  resultsOf((await result).messages).map(({ code, modelParts }) => [code, textOf(modelParts)]);

/** The first event inside another run that is a start of this tool. */
async function startOf({ events }: Run, name: string): Promise<void> {
  const isStart = (event: RunEvent): boolean =>
    event.type === 'sub-run' ? isStart(event.event) : event.type === 'tool-start' && event.name === name;
  for await (const event of events()) if (isStart(event)) return;
}

it('one call that hung could only be ended with the whole run', async () => {
  const played = play(oneCall(), [deaf()]);
  await until(played, 'tool-start');
  expect(played.cancel('c', 'It takes too long.')).toBe(true);
  expect((await played.result).status).toBe('complete');
  expect(await shown(played)).toEqual([
    [
      'tool_cancelled',
      'The user cancelled this call of "deaf": It takes too long. If it ends later, its result is discarded.',
    ],
  ]);
});

it('aborts the signal of the call and of its inner calls, and of no other call', async () => {
  const signals: Record<string, AbortSignal> = {};
  const waiting = (name: string): Tool =>
    tool(name, {
      timeoutMs: 0,
      execute: (_input, _options, { signal }) => ((signals[name] = signal), gate()),
    });
  const outer = tool('outer', { timeoutMs: 0, execute: (_input, _options, context) => context.call('inner', {}) });
  const calls = [
    { name: 'outer', callId: 'o' },
    { name: 'other', callId: 'x' },
  ];
  const played = play([{ calls }, { text: 'Done.' }], [outer, waiting('inner'), waiting('other')]);
  await startOf(played, 'inner');
  expect(played.cancel('o')).toBe(true);
  await until(played, 'tool-end');
  expect([signals['inner']?.aborted, signals['other']?.aborted]).toEqual([true, false]);
  expect(played.cancel('x')).toBe(true);
  expect((await shown(played)).map(([code]) => code)).toEqual(['tool_cancelled', 'tool_cancelled']);
});

it('tells the model that a call may have changed something, and asks nobody about it after a crash', async () => {
  const thread = newThread();
  let begun = 0;
  const writing = deaf({ effects: 'write', execute: () => (begun++, gate()) });
  const played = play(oneCall(), [writing], { thread });
  await until(played, 'tool-start');
  played.cancel('c');
  await until(played, 'tool-end');
  const left = await copyOf((await thread.read()).entries);
  expect((await shown(played))[0]?.[1]).toContain('It may have changed something by then');
  const model = scriptedModel([{ text: 'Done.' }]);
  const resumed = resume({ model, toolset: toolsetOf([writing]), thread: left });
  const types = (await eventsOf(resumed)).map(({ type }) => type);
  expect(types).not.toContain('recovery-request');
  expect((await resumed.result).status).toBe('complete');
  expect(begun).toBe(1);
});

it('a call that waits for approval is not run, and is no longer asked about', async () => {
  const thread = newThread();
  const save = tool('save', { effects: 'write' });
  const played = play(oneCall('save'), [save], { thread, policy: permissions('write') });
  const { questionId } = await until(played, 'approval-request');
  expect(played.cancel('c', 'not now')).toBe(true);
  expect(await shown(played)).toEqual([
    ['tool_cancelled', 'The user cancelled this call of "save" before it began: not now. It was not run.'],
  ]);
  expect(() => played.answer(questionId, 'once')).toThrow('is not open');
  expect(await openQuestions(thread)).toEqual([]);
});

it('a call that waits for others is not run', async () => {
  const ran: string[] = [];
  const write = (name: string): Tool => deaf({ name, effects: 'write', execute: () => (ran.push(name), gate()) });
  const calls = [
    { name: 'first', callId: 'a' },
    { name: 'second', callId: 'b' },
  ];
  const played = play([{ calls }, { text: 'Done.' }], [write('first'), write('second')]);
  await until(played, 'tool-start');
  expect(played.cancel('b')).toBe(true);
  expect(played.cancel('a')).toBe(true);
  expect((await shown(played)).map(([, text]) => text.includes('It was not run.'))).toEqual([false, true]);
  expect(ran).toEqual(['first']);
});

it('does nothing about a call that has its result, that is being cancelled, or that there is none of', async () => {
  const played = play([{ calls: [{ name: 'quick', callId: 'a' }] }, ...oneCall()], [tool('quick'), deaf()]);
  await startOf(played, 'deaf');
  expect(played.cancel('a')).toBe(false);
  expect(played.cancel('none')).toBe(false);
  expect(played.cancel([])).toBe(false);
  expect(played.cancel(['c', 'none'])).toBe(false);
  expect(played.cancel('c›1')).toBe(false);
  played.cancel('c');
  await played.result;
  expect(played.cancel('c')).toBe(false);
});

it('an inner call is cancelled by its own id, and the tool that made it goes on', async () => {
  const outer = tool('outer', {
    timeoutMs: 0,
    async execute(_input, _options, context) {
      const { code, modelParts } = await context.call('deaf', {});
      return `${code}: ${textOf(modelParts)}`;
    },
  });
  const played = play(oneCall('outer'), [outer, deaf()]);
  await startOf(played, 'deaf');
  expect(played.cancel('c›1', 'enough')).toBe(true);
  expect(await shown(played)).toEqual([
    [
      undefined,
      'tool_cancelled: The user cancelled this call of "deaf": enough. If it ends later, its result is discarded.',
    ],
  ]);
});

it.each(['asked about', 'in line'])('an inner call that is %s does not begin once it is cancelled', async (state) => {
  const ran: string[] = [];
  const first = gate();
  const write = (name: string, execute: () => unknown): Tool =>
    tool(name, { effects: 'write', timeoutMs: 0, execute: () => (ran.push(name), execute()) });
  const outer = tool('outer', {
    timeoutMs: 0,
    async execute(_input, _options, context) {
      const before = context.call('first', {});
      const { code } = await context.call('second', {});
      first.open();
      await before;
      await context.call('third', {});
      return code;
    },
  });
  const tools = [outer, write('first', () => first), write('second', () => ''), write('third', () => '')];
  const asks: Policy = ({ name }) => (name === 'second' && state === 'asked about' ? 'ask' : 'allow');
  const played = play(oneCall('outer'), tools, { policy: asks });
  await startOf(played, 'first');
  if (state === 'asked about') await until(played, 'approval-request');
  expect(played.cancel('c›2')).toBe(true);
  expect((await shown(played)).map(([, text]) => text)).toEqual(['tool_cancelled']);
  expect(ran).toEqual(['first', 'third']);
});

it('a call of a run inside is cancelled by its path, and that run goes on', async () => {
  const agent = tool('agent', {
    timeoutMs: 0,
    async execute(_input, _options, context) {
      const child = await context.run({ messages: 'Do it.', model: scriptedModel(oneCall()) });
      return (await child.result).text;
    },
  });
  const played = play(oneCall('agent'), [agent, deaf()]);
  await startOf(played, 'deaf');
  expect(played.cancel(['other', 'c'])).toBe(false);
  expect(played.cancel(['c', 'c'])).toBe(true);
  expect(await shown(played)).toEqual([[undefined, 'Done.']]);
});

it('a cancelled call that ends later is reported, and changes nothing more through its context', async () => {
  const going = gate();
  const refused: unknown[] = [];
  const late = deaf({
    async execute(_input, _options, context) {
      await going;
      refused.push((await context.call('save', {})).code);
      await context.beforeEffect().catch((error: Error) => refused.push(error.message));
      await context.run({ messages: 'Go on.' }).catch((error: Error) => refused.push(error.message));
      return 'late';
    },
  });
  const next = gate();
  const waiting = tool('waiting', { execute: () => next });
  const model = [...oneCall().slice(0, 1), { calls: [{ name: 'waiting' }] }, { text: 'Done.' }];
  const played = play(model, [late, waiting, tool('save', { effects: 'write' })]);
  await until(played, 'tool-start');
  played.cancel('c');
  await until(played, 'tool-end');
  going.open();
  await until(played, 'tool-late');
  next.open();
  expect((await shown(played))[0]?.[0]).toBe('tool_cancelled');
  expect(refused).toEqual([
    'tool_cancelled',
    expect.stringContaining('has ended'),
    expect.stringContaining('has ended'),
  ]);
});

it('a tool announced its effect, was cancelled while that was stored, and went on', async () => {
  const stored = gate();
  const storing = gate();
  const thread = newThread();
  const slow: Thread = {
    ...thread,
    async append(entries, options) {
      if (entries.some(({ type }) => type === 'call-begun')) {
        storing.open();
        await stored;
      }
      return thread.append(entries, options);
    },
  };
  let said: unknown;
  const read = deaf({
    async execute(_input, _options, context) {
      await context.beforeEffect().catch((error: Error) => (said = error.message));
    },
  });
  const played = play([...oneCall().slice(0, 1), { text: 'Done.' }], [read], { thread: slow });
  await storing;
  played.cancel('c');
  stored.open();
  await played.result;
  expect(said).toContain('has ended');
});

it('a tool began although its call was cancelled while its secrets were read', async () => {
  const asked = gate();
  const answer = gate();
  let runs = 0;
  const keyed = deaf({ options: { key: option.secret({ label: 'Key' }) }, execute: () => runs++ });
  const secrets = { get: async () => (asked.open(), await answer, 'key') };
  const toolset = resolveToolset(createRegistry([keyed]), emptySettings, { secrets });
  const played = play(oneCall(), [], { toolset });
  await asked;
  played.cancel('c');
  answer.open();
  await played.result;
  await new Promise(setImmediate);
  expect(runs).toBe(0);
});

it('an inner call that the user had cancelled ran again when its script was taken up after a crash', async () => {
  const thread = newThread();
  let runs = 0;
  const tools = (next: () => unknown): readonly Tool[] => [
    deaf({ execute: () => (runs++, gate()) }),
    tool('next', { timeoutMs: 0, execute: next }),
    tool('script', {
      replayable: true,
      timeoutMs: 0,
      async execute(_input, _options, context) {
        const { code } = await context.call('deaf', {});
        return [code, (await context.call('next', {})).output].join();
      },
    }),
  ];
  const played = play(
    oneCall('script'),
    tools(() => gate()),
    { thread },
  );
  await startOf(played, 'deaf');
  played.cancel('c›1');
  await startOf(played, 'next');
  const left = await copyOf((await thread.read()).entries);
  played.abort();
  const model = scriptedModel([{ text: 'Done.' }]);
  const resumed = resume({ model, toolset: toolsetOf(tools(() => 'next')), thread: left });
  expect((await resumed.result).status).toBe('complete');
  expect(resultsOf(model.requests[0]?.messages ?? [])[0]?.output).toBe('tool_cancelled,next');
  expect(runs).toBe(1);
});

it('has one result and one end, whenever it is cancelled', async () => {
  const ticks = fc.integer({ min: 0, max: 40 });
  await fc.assert(
    fc.asyncProperty(ticks, fc.boolean(), fc.boolean(), async (count, changes, isStored) => {
      const quick = tool('quick', { effects: changes ? 'write' : 'read', execute: async () => 'done' });
      const thread = newThread();
      const played = play(oneCall('quick'), [quick], isStored ? { thread } : {});
      const seen = eventsOf(played);
      for (let tick = 0; tick < count; tick++) await (isStored ? new Promise(setImmediate) : Promise.resolve());
      const wasCancelled = played.cancel('c');
      const { status, messages } = await played.result;
      const ends = (await seen).flatMap((event) => (event.type === 'tool-end' ? [event.result.code] : []));
      const [result, ...more] = resultsOf(messages);
      expect([status, more, ends]).toEqual(['complete', [], [result?.code]]);
      expect(wasCancelled || result?.code === undefined).toBe(true);
    }),
  );
});
