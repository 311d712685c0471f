import { expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { createToolStats } from '../calls/tool-stats.ts';
import {
  call,
  eventsOf,
  finish,
  gate,
  memoryThread,
  play,
  resultsOf,
  streamedModel,
  tool,
  toolsetOf,
  until,
} from '../../test-kit/runs.ts';
import type { Tool, ToolContext } from '../../tool/tool.ts';
import { memoryGrants } from './grants.ts';
import { permissions } from './policy.ts';
import type { Policy } from './policy.ts';
import { resume } from '../lazy-run.ts';
import { messagesOf } from '../../thread/messages.ts';

/** A renamed tool, and a log of its work. */
function renamed(more: Partial<Tool> = {}): { readonly wipe: Tool; readonly ran: Json[] } {
  const ran: Json[] = [];
  const execute = (input: unknown): string => {
    ran.push(input as Json);
    return 'wiped';
  };
  return { ran, wipe: tool('wipe', { effects: 'destructive', formerNames: ['erase'], execute, ...more }) };
}

const denyWipe: Policy = ({ name }) => (name === 'wipe' ? 'deny' : 'allow');

it('a policy that denies a tool by name was passed by calling the tool by a former name', async () => {
  const { wipe, ran } = renamed();
  const played = play([{ calls: [{ name: 'erase' }, { name: 'wipe' }] }, {}], [wipe], { policy: denyWipe });
  const { messages } = await played.result;
  expect(ran).toEqual([]);
  expect(resultsOf(messages).map(({ name, isError }) => [name, isError])).toEqual([
    ['wipe', true],
    ['wipe', true],
  ]);
});

it('a policy was passed by a former name in a call that a tool makes, and in a run that a tool begins', async () => {
  const { wipe, ran } = renamed();
  const inside = streamedModel([() => [call('a', 'erase'), finish('tool-calls')]]);
  const through = tool('through', {
    async execute(_input, _options, { call: makeCall, run }: ToolContext) {
      const made = await makeCall('erase', {});
      await (
        await run({ model: inside, messages: 'Go.' })
      ).result;
      return made.code;
    },
  });
  const played = play([{ calls: [{ name: 'through' }] }, {}], [wipe, through], { policy: denyWipe });
  const events = await eventsOf(played);
  expect(ran).toEqual([]);
  const told = events.map((event) => (event.type === 'sub-run' ? event.event : event));
  const ended = told.flatMap((event) => (event.type === 'tool-end' ? [`${event.name} ${event.result.code}`] : []));
  expect(ended).toEqual(['wipe tool_denied', 'wipe tool_denied', 'through undefined']);
});

it('a grant was looked for, and kept, under the name that the model wrote', async () => {
  const { wipe } = renamed();
  const grants = memoryGrants();
  const kept: string[] = [];
  const watched = {
    ...grants,
    add: (grant: Parameters<typeof grants.add>[0]) => (kept.push(grant.name), grants.add(grant)),
  };
  const first = play([{ calls: [{ name: 'erase' }] }, {}], [wipe], { policy: permissions('write'), grants: watched });
  const asked = await until(first, 'approval-request');
  expect(asked.name).toBe('wipe');
  first.answer(asked.questionId, 'always');
  await first.result;
  expect(kept).toEqual(['wipe']);
  const second = play([{ calls: [{ name: 'wipe' }, { name: 'erase' }] }, {}], [wipe], {
    policy: permissions('write'),
    grants,
    interactive: false,
  });
  expect(resultsOf((await second.result).messages).map(({ isError }) => isError)).toEqual([false, false]);
});

it('a repeated call was counted again under each of its names', async () => {
  const { wipe, ran } = renamed();
  const calls = ['wipe', 'erase', 'wipe', 'erase'].map((name) => ({ calls: [{ name }] }));
  const played = play([...calls, {}], [wipe], { limits: { repeats: 2 } });
  const { messages } = await played.result;
  expect(ran).toHaveLength(2);
  expect(resultsOf(messages).map(({ isError }) => isError)).toEqual([false, false, true, true]);
});

it('more calls of a tool ran at once than it allows if some came by a former name', async () => {
  let running = 0;
  let most = 0;
  const held = gate();
  const slow = tool('slow', {
    formerNames: ['lazy'],
    concurrency: 1,
    async execute() {
      most = Math.max(most, ++running);
      await Promise.race([held, new Promise((resolve) => setTimeout(resolve, 5))]);
      running--;
    },
  });
  const played = play([{ calls: [{ name: 'slow' }, { name: 'lazy' }, { name: 'slow' }] }, {}], [slow]);
  await played.result;
  expect(most).toBe(1);
});

it('events, statistics and stored calls had the name that the model wrote', async () => {
  const { wipe } = renamed();
  const thread = memoryThread();
  const stats = createToolStats();
  const played = play([{ calls: [{ name: 'erase' }] }, {}], [wipe], { thread });
  const events = await eventsOf(played);
  for (const event of events) stats.add(event);
  const told = events.flatMap((event) => ('name' in event ? [`${event.type} ${event.name}`] : []));
  expect(told.filter((each) => !each.startsWith('tool-input'))).toEqual([
    'tool-call wipe',
    'tool-start wipe',
    'tool-end wipe',
  ]);
  expect(stats.snapshot().map(({ name, calls }) => [name, calls])).toEqual([['wipe', 1]]);
  const stored = (await messagesOf(thread))
    .flatMap(({ parts }) => parts)
    .filter(({ type }) => type.startsWith('tool-'));
  expect(stored).toMatchObject([
    { type: 'tool-call', name: 'wipe', calledAs: 'erase' },
    { type: 'tool-result', name: 'wipe', calledAs: 'erase' },
  ]);
});

it('a call that a thread stored under a former name is judged by its tool’s own when it is resumed', async () => {
  const { wipe, ran } = renamed();
  const message = { id: 'm', createdAt: 0, origin: { api: 'text', model: 'm' } } as const;
  const thread = memoryThread([
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 0 },
    {
      ...message,
      role: 'assistant',
      runId: 'before',
      parts: [{ type: 'tool-call', callId: 'a', name: 'erase', input: {}, title: 'erase', executedBy: 'us' }],
    },
  ]);
  const { model } = play([{}], [wipe]);
  const run = resume({ model, toolset: toolsetOf([wipe]), thread, policy: denyWipe });
  const { messages } = await run.result;
  expect(ran).toEqual([]);
  expect(messages[0]?.parts[0] ?? resultsOf(await messagesOf(thread))[0]).toMatchObject({ name: 'wipe' });
});

it('a tool that is forced by a former name is forced by its own', async () => {
  const { wipe } = renamed();
  const played = play([{ calls: [{ name: 'wipe' }] }, {}], [wipe], { toolChoice: { tool: 'erase' } });
  await played.result;
  expect(played.model.requests[0]?.toolChoice).toEqual({ tool: 'wipe' });
});

it('a tool that is off was replaced by one that formerly had its name', async () => {
  const { wipe, ran } = renamed();
  const off = tool('erase', { defaultEnabled: false });
  const toolset = toolsetOf([wipe, off]);
  for (const each of [toolset, toolsetOf([wipe, tool('erase')]).derive({ only: ['wipe'] })])
    expect((await each.prepare({ name: 'erase', input: {} })).refusal?.output).toBe('Unknown tool: erase');
  expect(ran).toEqual([]);
});

it('a scope that lists a former name has the tool, and one that lists a tool that is off does not', () => {
  const { wipe } = renamed();
  const namesOf = (toolset: ReturnType<typeof toolsetOf>): readonly string[] =>
    toolset.definitions({ api: 'text' }).map(({ name }) => name);
  expect(namesOf(toolsetOf([wipe, tool('read')]).derive({ only: ['erase'] }))).toEqual(['wipe']);
  const off = tool('erase', { defaultEnabled: false });
  expect(namesOf(toolsetOf([wipe, off]).derive({ only: ['erase'] }))).toEqual([]);
});

it('of two tools with one former name, the first has it', () => {
  const toolset = toolsetOf([tool('one', { formerNames: ['both'] }), tool('two', { formerNames: ['both'] })]);
  expect(toolset.nameOf('both')).toBe('one');
});

it.each(['WIPE', 'Erase', 'wipe ', 'functions.wipe', 'default_api:wipe', 'ns__wipe', 'wipe_1a2b3c4d', 'ｗｉｐｅ'])(
  'no tool answers to %j, which is none of its names',
  async (name) => {
    const { wipe, ran } = renamed();
    const { messages } = await play([{ calls: [{ name }] }, {}], [wipe]).result;
    expect(ran).toEqual([]);
    expect(resultsOf(messages)[0]?.output).toBe(`Unknown tool: ${name}`);
  },
);
