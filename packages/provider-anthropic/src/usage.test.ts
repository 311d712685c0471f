import { noUsage } from '@utensil/core';
import { loopback, sse } from '@utensil/tooling-loopback';
import { expect, it } from 'vitest';
import { anthropic } from './anthropic.ts';

const { signal } = new AbortController();
const request = { system: '', messages: [], tools: [], toolChoice: 'auto' } as const;

async function usageOf(...events: readonly { readonly type: string }[]): Promise<unknown> {
  await using server = await loopback(() => ({ body: sse(events.map((data) => ({ event: data.type, data }))) }));
  let usage: unknown;
  for await (const part of anthropic('claude-opus-4-6', { apiKey: 'k', baseURL: server.url }).stream(request, {
    signal,
  }))
    if (part.type === 'finish') usage = part.usage;
  return usage;
}

const start = { type: 'message_start', message: { content: [], usage: { input_tokens: 612, output_tokens: 1 } } };
const end = (usage: object) => ({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });
const counts = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

// https://platform.claude.com/docs/en/build-with-claude/compaction#understanding-usage
it('counts the compaction of a history, which the API counts beside the answer', async () => {
  const iterations = [
    { type: 'compaction', input_tokens: 60_385, output_tokens: 592, ...counts },
    { type: 'message', input_tokens: 612, output_tokens: 1_320, ...counts },
  ];
  const usage = { input_tokens: 612, output_tokens: 1_320, ...counts, iterations };
  expect(await usageOf(start, end(usage), { type: 'message_stop' })).toEqual({
    ...noUsage,
    inputTokens: 60_997,
    outputTokens: 1_912,
  });
});

// https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool
it('counts what an advisor read and wrote, from its cache too, and each iteration once', async () => {
  const iterations = [
    { type: 'message', input_tokens: 100, output_tokens: 10 },
    { type: 'advisor_message', model: 'claude-opus-5', input_tokens: 7, cache_read_input_tokens: 50, output_tokens: 5 },
    { type: 'fallback_message', input_tokens: 200, output_tokens: 10 },
    null,
  ];
  const usage = { input_tokens: 300, output_tokens: 20, iterations };
  expect(await usageOf(start, end({ iterations }), end(usage), { type: 'message_stop' })).toEqual({
    ...noUsage,
    inputTokens: 357,
    outputTokens: 25,
    cacheReadTokens: 50,
  });
});

const said = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
];
const counted = { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 5 } };

it('takes a count behind whole blocks for the end, if a server gives no reason and no `message_stop`', async () => {
  expect(await usageOf(start, ...said, counted)).toMatchObject({ outputTokens: 5 });
});

it.each<[string, readonly { readonly type: string }[]]>([
  ['a block is open', [...said.slice(0, 1), counted]],
  ['there is no count', said],
  ['another block has begun', [...said, counted, ...said.slice(0, 1)]],
  [
    'there are only thoughts',
    [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: 'Hm', signature: 's' },
      } as never,
      { type: 'content_block_stop', index: 0 } as never,
      counted,
    ],
  ],
])('tells that an answer broke off where %s', async (_, events) => {
  await expect(usageOf(start, ...events)).rejects.toMatchObject({ code: 'stream_truncated' });
});
