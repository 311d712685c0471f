import {
  type Message,
  type RunOptions,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  resolveToolset,
  run,
} from '@utensil/core';
import { type Loopback, loopback } from '@utensil/tooling-loopback';
import { calls, told, toolset, user } from '@utensil/tooling-loopback/continuity';
import { expect, it } from 'vitest';
import { ollama } from './ollama.ts';

// Whole runs: what the server is sent after a turn that it has written itself, and after one of another model.

const answer = (message: object) =>
  [
    { message: { role: 'assistant', content: '', ...message } },
    { message: { content: '' }, done: true, done_reason: 'stop' },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
const toolCalls = (asked: readonly (readonly [string, string, object])[]) =>
  asked.map(([id, name, input]) => ({ id, function: { index: 0, name, arguments: input } }));
const done = answer({ content: 'Done.' });

const go = (server: Loopback, options: Partial<RunOptions> = {}) =>
  run({ model: ollama('qwen3', { baseURL: server.url }), toolset, messages: 'Go', ...options }).result;
const sent = (server: Loopback, index: number) =>
  (server.requests[index]?.json() as { messages: unknown[] } | undefined)?.messages.slice(1);

it('sends thoughts and calls back with the input that ran, and a result for each', async () => {
  const first = answer({ thinking: 'Hm.', content: 'All.', tool_calls: toolCalls(calls) });
  await using server = await loopback((_, index) => ({ body: index === 0 ? first : done }));
  expect(await go(server)).toMatchObject({ status: 'complete', text: 'Done.', steps: 2 });
  expect(sent(server, 1)).toEqual([
    {
      role: 'assistant',
      content: 'All.',
      thinking: 'Hm.',
      tool_calls: calls.map(([id, name], index) => ({ id, function: { name, arguments: told[index]?.[0] } })),
    },
    ...calls.map(([tool_call_id, tool_name], index) => ({
      role: 'tool',
      tool_name,
      tool_call_id,
      content: expect.stringContaining(told[index]?.[1] ?? '') as string,
    })),
  ]);
});

it('[S1-19] asks again if the server lost its model while loading it, and repeats no call', async () => {
  let written = 0;
  const write = defineTool({
    name: 'write',
    description: 'Writes.',
    input: jsonSchema({ type: 'object' }),
    effects: 'write',
    execute: () => `written ${++written} times`,
  });
  const lost = {
    status: 500,
    headers: { 'content-type': 'application/json', 'retry-after': '0.001' },
    body: JSON.stringify({ error: 'do load request: Post "http://127.0.0.1:39183/load": EOF' }),
  };
  const calling = { body: answer({ tool_calls: toolCalls([['c1', 'write', {}]]) }) };
  await using server = await loopback((_, index) => [lost, calling, lost, lost][index] ?? { body: done });
  const tools = resolveToolset(createRegistry([write]), emptySettings, {});
  expect(await go(server, { toolset: tools })).toMatchObject({ status: 'complete', text: 'Done.', steps: 2 });
  expect([written, server.requests.length]).toEqual([1, 5]);
  expect(server.requests[4]?.body).toBe(server.requests[2]?.body);
  expect(server.requests[4]?.body).toContain('written 1 times');
});

it('asks for the last turn behind the results, without the tools', async () => {
  const first = answer({ tool_calls: toolCalls([['c1', 'read', { path: 'a' }]]) });
  await using server = await loopback((_, index) => ({ body: index === 0 ? first : done }));
  expect(await go(server, { limits: { steps: 1 } })).toMatchObject({ status: 'limit', text: 'Done.' });
  expect(server.requests.map((request) => Object.keys(request.json() as object))).toEqual([
    ['model', 'messages', 'tools', 'stream'],
    ['model', 'messages', 'stream'],
  ]);
  expect(sent(server, 1)).toMatchObject([{ role: 'assistant' }, { role: 'tool' }, { role: 'user' }]);
});

it('goes on behind an answer that was truncated, without its thoughts', async () => {
  const lines = [{ thinking: 'Hm.' }, { content: 'Half' }, { tool_calls: toolCalls([['c1', 'read', {}]]) }];
  const half = lines.map((message) => `${JSON.stringify({ message })}\n`).join('');
  await using server = await loopback((_, index) => ({ body: index === 0 ? half : done }));
  const broken = await go(server, { limits: { retries: 0 } });
  expect(broken).toMatchObject({ status: 'error', error: { code: 'stream_truncated' } });
  await go(server, { messages: [...broken.messages, user('Go on')] });
  expect(sent(server, 1)?.[0]).not.toHaveProperty('thinking');
  expect(sent(server, 1)?.at(-1)).toEqual({ role: 'user', content: 'Go on' });
});

it('continues with a thread of another model, and that model with its own', async () => {
  await using server = await loopback(() => ({ body: answer({ thinking: 'My own.', content: 'Done.' }) }));
  const other: Message = {
    id: 'other',
    role: 'assistant',
    createdAt: 0,
    origin: { api: 'anthropic-messages', model: 'claude', state: [{ signature: 'sealed' }] },
    parts: [
      { type: 'reasoning', text: 'Hidden.' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', callId: 'toolu_1', name: 'read', input: { path: 'a' }, executedBy: 'us' },
    ],
  };
  const { messages } = await go(server, { messages: [user('Go'), other, user('Go on')] });
  expect(server.requests[0]?.body).not.toMatch(/Hidden|sealed/);
  expect(sent(server, 0)).toMatchObject([
    { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'toolu_1', function: { arguments: { path: 'a' } } }] },
    { role: 'tool', tool_call_id: 'toolu_1', content: expect.stringContaining('no result') as string },
    { role: 'user', content: 'Go on' },
  ]);
  expect(messages).toContainEqual(expect.objectContaining(other));
  expect(messages.at(-1)?.origin).toEqual({ api: 'ollama-chat', model: 'qwen3' });
});
