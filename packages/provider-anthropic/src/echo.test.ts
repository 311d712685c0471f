import type { Json, Message } from '@utensil/core';
import { loopback, sse } from '@utensil/tooling-loopback';
import { expect, it, vi } from 'vitest';
import { anthropic } from './anthropic.ts';

const { signal } = new AbortController();
const request = { system: '', messages: [], tools: [], toolChoice: 'auto' } as const;
const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }], createdAt: 0 };
const wire = (...events: readonly { readonly type: string }[]) => ({
  body: sse(events.map((data) => ({ event: data.type, data }))),
});
const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} };

// https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool: the API refuses what its request
// types do not have, with "Extra inputs are not permitted".
it('gives results of code back with the members that requests allow', async () => {
  const use = {
    type: 'server_tool_use',
    id: 'srvtoolu_1',
    name: 'code_execution',
    input: { code: '1' },
    caller: { type: 'direct' },
  };
  const sealed = { type: 'encrypted_code_execution_result', encrypted_stdout: 's', stderr: '', return_code: 0 };
  const file = { type: 'code_execution_output', file_id: 'f_1' };
  const came = {
    type: 'code_execution_tool_result',
    tool_use_id: 'srvtoolu_1',
    caller: { type: 'direct' },
    content: { ...sealed, content: [{ ...file, filename: 'a.png' }], duration_ms: 12, stdout: null },
  };
  const message = { type: 'message_start', message: { content: [], usage: {} } };
  await using server = await loopback(() =>
    wire(message, block(0, use), block(1, came), block(2, { type: 'text', text: 'Done.' }), end),
  );
  const model = anthropic('claude-sonnet-5', { apiKey: 'k', baseURL: server.url });
  let state: Json = null;
  for await (const part of model.stream(request, { signal })) if (part.type === 'finish') state = part.state ?? null;
  const origin = { api: 'anthropic-messages', model: 'claude-sonnet-5', state };
  const answer: Message = {
    id: 'a',
    role: 'assistant',
    parts: [{ type: 'text', text: 'Done.' }],
    createdAt: 0,
    origin,
  };
  for await (const _ of model.stream({ ...request, messages: [user, answer, user] }, { signal }));
  const sent = server.requests[1]?.json() as { messages: { content: unknown[] }[] };
  expect(sent.messages[1]?.content).toEqual([
    use,
    { type: 'code_execution_tool_result', tool_use_id: 'srvtoolu_1', content: { ...sealed, content: [file] } },
    { type: 'text', text: 'Done.' },
  ]);
});

it.each([
  ['claude-sonnet-4-5', {}],
  ['claude-opus-4-6', { thinking: { type: 'enabled', budget_tokens: 1_024 } }],
])('keeps warnings of the SDK about %s off the console, and asks for that model', async (id, providerOptions) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await using server = await loopback(() =>
    wire({ type: 'message_start', message: { content: [], usage: {} } } as never, end),
  );
  const options = { ...providerOptions, user_profile_id: 'profile_1' };
  const asked = { ...request, messages: [user], providerOptions: options };
  for await (const _ of anthropic(id, { apiKey: 'k', baseURL: server.url }).stream(asked, { signal }));
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
  expect(server.requests[0]?.json()).toMatchObject({ model: id, ...providerOptions, stream: true });
  expect(server.requests[0]?.json()).not.toHaveProperty('user_profile_id');
});
