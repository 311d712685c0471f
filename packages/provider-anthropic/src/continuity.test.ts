import {
  type Message,
  type RunOptions,
  createRegistry,
  defineTool,
  emptySettings,
  resolveToolset,
  run,
} from '@utensil/core';
import { arrangeHistory } from '@utensil/core/provider';
import { type Loopback, type Reply, loopback } from '@utensil/tooling-loopback';
import { anthropicStream } from '@utensil/tooling-loopback/anthropic';
import { read, toolset, user } from '@utensil/tooling-loopback/continuity';
import { expect, it } from 'vitest';
import { anthropic } from './anthropic.ts';

// Whole runs: what the API is sent after a turn that it has written itself.
const thinking = { type: 'thinking', thinking: 'Größe? “ü” \u{1f4cf}', signature: 'EqQBCgIYAhIM==' };
const text = (said: string) => ({ type: 'text', text: said });
const use = (id: string, input: unknown, name = 'read') => ({ type: 'tool_use', id, name, input });
const answer = (id: string, content: unknown, more: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});
const done = { body: anthropicStream([text('Done.')]) };

function go(server: Loopback, options: Partial<RunOptions> = {}) {
  const model = anthropic('claude-sonnet-5-5', { apiKey: 'k', baseURL: server.url, cache: false });
  return run({ model, toolset, messages: 'Go', ...options });
}

function serve(...replies: readonly Reply[]): Promise<Loopback> {
  return loopback((_, index) => replies[index] ?? done);
}

/** The messages of a request behind the first of the user. */
function sent(server: Loopback, index: number): unknown {
  const body = server.requests[index]?.json() as { messages: unknown[] } | undefined;
  return body?.messages.slice(1);
}

it('sends reasoning back unchanged, and all results of parallel calls in one message, failed ones too', async () => {
  const turn = [thinking, { type: 'redacted_thinking', data: 'enc' }, text('Both.'), use('t1', { path: 'a' })];
  const calls = [use('t2', { path: 'none' }), use('t3', {}), use('t4', {}, 'nothing')];
  await using server = await serve({ body: anthropicStream([...turn, ...calls]) });
  expect(await go(server).result).toMatchObject({ status: 'complete', text: 'Done.', steps: 2 });
  expect(sent(server, 1)).toEqual([
    { role: 'assistant', content: [...turn, ...calls] },
    {
      role: 'user',
      content: [
        answer('t1', 'content of a'),
        answer('t2', expect.stringContaining('There is no such file.'), { is_error: true }),
        answer('t3', expect.stringContaining('path'), { is_error: true }),
        answer('t4', 'Unknown tool: nothing', { is_error: true }),
      ],
    },
  ]);
});

it('sends back the input that ran, repaired and rewritten, and text that was not JSON', async () => {
  const calls = [use('t1', { path: 'a', lines: '5' }), use('t2', { path: 'short' }), use('t3', {})];
  const body = anthropicStream([thinking, ...calls]).replace(
    '"index":3,"delta":{"type":"input_json_delta","partial_json":""}',
    String.raw`"index":3,"delta":{"type":"input_json_delta","partial_json":"{\"path"}`,
  );
  await using server = await serve({ body });
  await go(server).result;
  expect(sent(server, 1)).toMatchObject([
    {
      content: [
        thinking,
        use('t1', { path: 'a', lines: 5 }),
        use('t2', { path: 'long' }),
        use('t3', { INVALID_JSON: '{"path' }),
      ],
    },
    { content: [answer('t1', 'content of a'), answer('t2', 'rewritten'), { is_error: true }] },
  ]);
});

it('asks for the last turn behind the results, with the tools but without their use', async () => {
  await using server = await serve({ body: anthropicStream([use('t1', { path: 'a' })]) });
  const outcome = await go(server, { limits: { steps: 1 }, toolChoice: 'required' }).result;
  expect(outcome).toMatchObject({ status: 'limit', limit: 'steps', text: 'Done.' });
  const bodies = server.requests.map((request) => request.json());
  expect(bodies).toMatchObject([{ tool_choice: { type: 'any' } }, { tool_choice: { type: 'none' } }]);
  expect(bodies[1]).toHaveProperty('tools', (bodies[0] as { tools: unknown }).tools);
  expect(sent(server, 1)).toEqual([
    { role: 'assistant', content: [use('t1', { path: 'a' })] },
    {
      role: 'user',
      content: [answer('t1', 'content of a'), text(expect.stringContaining('limit of steps') as string)],
    },
  ]);
});

it('continues a truncated answer with its partial turn, and a paused one', async () => {
  const half = anthropicStream([thinking, text('Half an ans'), use('t1', { path: 'a' })]).split(
    'event: message_delta',
  )[0];
  const paused = [{ type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } }, text('So far \n')];
  await using server = await serve(
    { body: half ?? '' },
    { body: anthropicStream(paused, { stopReason: 'pause_turn' }) },
    done,
  );
  const broken = await go(server, { limits: { retries: 0 } }).result;
  expect(broken).toMatchObject({ status: 'error', error: { code: 'stream_truncated' } });
  expect(await go(server, { messages: [...broken.messages, user('Go on')] }).result).toMatchObject({
    status: 'complete',
  });
  const before = [
    { role: 'assistant', content: [text('Half an ans'), use('t1', { path: 'a' })] },
    { role: 'user', content: [answer('t1', 'content of a'), text('Go on')] },
  ];
  expect(sent(server, 1)).toEqual(before);
  expect(sent(server, 2)).toEqual([...before, { role: 'assistant', content: [paused[0], text('So far')] }]);
});

it('answers for a call that an abort interrupted', async () => {
  await using server = await serve({
    body: anthropicStream([thinking, use('t1', { path: 'a' }), use('t2', { path: 'b' })]),
  });
  const controller = new AbortController();
  const slow = defineTool({ ...read, execute: ({ path }) => (path === 'a' ? 'a' : new Promise<string>(() => {})) });
  const started = go(server, {
    toolset: resolveToolset(createRegistry([slow]), emptySettings, {}),
    signal: controller.signal,
  });
  const seen = new Set<string>();
  for await (const { type } of started.events()) {
    seen.add(type);
    if (seen.has('tool-end') && seen.has('step-end')) controller.abort();
  }
  const { status, messages } = await started.result;
  expect(status).toBe('aborted');
  const history: readonly Message[] = arrangeHistory(messages.filter(({ role }) => role !== 'tool'));
  await go(server, { messages: [...history, user('Go on')] }).result;
  expect(sent(server, 1)).toEqual([
    { role: 'assistant', content: [thinking, use('t1', { path: 'a' }), use('t2', { path: 'b' })] },
    {
      role: 'user',
      content: [
        answer('t1', expect.stringContaining('interrupted'), { is_error: true }),
        answer('t2', expect.stringContaining('interrupted'), { is_error: true }),
        text('Go on'),
      ],
    },
  ]);
});
