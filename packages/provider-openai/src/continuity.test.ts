import { type RunOptions, createRegistry, emptySettings, resolveToolset, run } from '@utensil/core';
import { type Loopback, type Reply, loopback, sse } from '@utensil/tooling-loopback';
import { calls as shared, told as sharedTold, toolset, user } from '@utensil/tooling-loopback/continuity';
import { describe, expect, it } from 'vitest';
import { openai, openaiChat } from './openai.ts';

// Whole runs: what the API is sent after a turn that it has written itself.
type Call = readonly [id: string, name: string, text: string];

const calls: readonly Call[] = [
  ['c0', 'read', '{ "path":"a" }'],
  ...shared.map(([id, name, input]): Call => [id, name, JSON.stringify(input)]),
  ['c7', 'read', '{"path'],
];
/** Expected history of these calls: the input that ran, and a part of the result. */
const told: readonly Call[] = [
  ['c0', '{ "path":"a" }', 'content of a'],
  ...sharedTold.map(([input, output], index): Call => [`c${index + 1}`, JSON.stringify(input), output]),
  ['c7', '{}', 'JSON'],
];

const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed “ü” \u{1f4cf}' };
const said = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  phase: 'commentary',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const callItem = ([call_id, name, text]: Call) => ({
  type: 'function_call',
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: text,
  status: 'completed',
});

function response(items: readonly object[], type = 'response.completed'): string {
  const events = items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item }));
  return sse([...events, { type, response: { output: [] } }].map((data) => ({ event: data.type, data })));
}

function chat(text: string, asked: readonly Call[]): string {
  const tool_calls = asked.map(([id, name, args], index) => ({ index, id, function: { name, arguments: args } }));
  const delta = { content: text, ...(asked.length > 0 && { tool_calls }) };
  return sse([{ data: { choices: [{ index: 0, delta, finish_reason: 'stop' }] } }, { data: '[DONE]' }]);
}

function serve(done: Reply, ...replies: readonly Reply[]): Promise<Loopback> {
  return loopback((_, index) => replies[index] ?? done);
}

describe('openai', () => {
  const done = { body: response([said('Done.')]) };
  const go = (server: Loopback, options: Partial<RunOptions> = {}) =>
    run({ model: openai('gpt-5.6', { apiKey: 'k', baseURL: server.url }), toolset, messages: 'Go', ...options }).result;
  const sent = (server: Loopback, index: number) =>
    (server.requests[index]?.json() as { input: unknown[] } | undefined)?.input.slice(1);

  it('sends reasoning and calls back unchanged, with the input that ran, and a result for each', async () => {
    await using server = await serve(done, { body: response([reasoning, said('All.'), ...calls.map(callItem)]) });
    expect(await go(server)).toMatchObject({ status: 'complete', text: 'Done.', steps: 2 });
    expect(sent(server, 1)).toEqual([
      reasoning,
      said('All.'),
      ...calls.map((call, index) => ({ ...callItem(call), arguments: told[index]?.[1] })),
      ...told.map(([call_id, , output]) => ({
        type: 'function_call_output',
        call_id,
        output: expect.stringContaining(output) as string,
      })),
    ]);
  });

  it('asks for the last turn behind the results, with the tools but without their use', async () => {
    await using server = await serve(done, { body: response([callItem(['c1', 'read', '{"path":"a"}'])]) });
    expect(await go(server, { limits: { steps: 1 }, toolChoice: 'required' })).toMatchObject({ status: 'limit' });
    const bodies = server.requests.map((request) => request.json());
    expect(bodies).toMatchObject([{ tool_choice: 'required' }, { tool_choice: 'none' }]);
    expect(bodies[1]).toHaveProperty('tools', (bodies[0] as { tools: unknown }).tools);
    expect(sent(server, 1)).toMatchObject([
      { type: 'function_call' },
      { type: 'function_call_output' },
      { role: 'user', content: expect.stringContaining('limit of steps') as string },
    ]);
  });

  it('goes on behind an answer that was truncated, with the call that had begun and without its reasoning', async () => {
    const [half] = response([reasoning, said('Half'), callItem(['c1', 'read', '{"path":"a"}'])]).split(
      'event: response.completed',
    );
    await using server = await serve(done, { body: half ?? '' });
    const broken = await go(server, { limits: { retries: 0 } });
    expect(broken).toMatchObject({ status: 'error', error: { code: 'stream_truncated' } });
    await go(server, { messages: [...broken.messages, user('Go on')] });
    expect(sent(server, 1)).toEqual([
      { role: 'assistant', content: 'Half' },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'content of a' },
      { role: 'user', content: 'Go on' },
    ]);
  });
});

describe('openaiChat', () => {
  const done = { body: chat('Done.', []) };
  const go = (server: Loopback, options: Partial<RunOptions> = {}) =>
    run({ model: openaiChat('gpt-4.1', { apiKey: 'k', baseURL: server.url }), toolset, messages: 'Go', ...options })
      .result;
  const sent = (server: Loopback, index: number) =>
    (server.requests[index]?.json() as { messages: unknown[] } | undefined)?.messages.slice(1);

  it('sends calls back with the input that ran, and a result for each', async () => {
    await using server = await serve(done, { body: chat('All.', calls) });
    expect(await go(server)).toMatchObject({ status: 'complete', text: 'Done.', steps: 2 });
    const called = told.map(([id, args], index) => ({
      id,
      type: 'function',
      function: { name: calls[index]?.[1], arguments: args.replaceAll(' ', '') },
    }));
    expect(sent(server, 1)).toEqual([
      { role: 'assistant', content: 'All.', tool_calls: called },
      ...told.map(([tool_call_id, , output]) => ({
        role: 'tool',
        tool_call_id,
        content: expect.stringContaining(output) as string,
      })),
    ]);
  });

  it('asks for the last turn behind the results, and sends no tools if there are none', async () => {
    await using server = await serve(done, { body: chat('', [['c1', 'read', '{"path":"a"}']]) });
    const { messages } = await go(server, { limits: { steps: 1 } });
    expect(server.requests[1]?.json()).toMatchObject({ tool_choice: 'none', tools: [{}] });
    expect(sent(server, 1)).toMatchObject([{ content: null }, { role: 'tool' }, { role: 'user' }]);
    const none = resolveToolset(createRegistry(), emptySettings, {});
    await go(server, { messages: [...messages, user('More')], toolset: none, toolChoice: 'none' });
    expect(Object.keys(server.requests[2]?.json() as object)).toEqual([
      'model',
      'messages',
      'stream_options',
      'stream',
    ]);
  });
});
