import { withProviderResults } from '@utensil/core/provider';
import { expect, it } from 'vitest';
import { resultsIn } from './results.ts';
import { eventReader } from './stream.ts';

const read = (events: readonly object[]) => {
  const reader = withProviderResults(eventReader([]), resultsIn);
  return events.flatMap((event) => reader.read(event as never)).filter(({ type }) => type !== 'tool-input-delta');
};
const start = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const stop = (index: number) => ({ type: 'content_block_stop', index });

it('a result of a tool that Anthropic runs is a part behind its call', () => {
  const found = [{ type: 'web_search_result', url: 'https://a.example', title: 'A' }];
  const parts = read([
    start(0, { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} }),
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"query":"a"}' } },
    stop(0),
    start(1, { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: found }),
    stop(1),
  ]);
  expect(parts.slice(1)).toEqual([
    { type: 'tool-call', callId: 'srv_1', name: 'web_search', input: { query: 'a' }, executedBy: 'provider' },
    { type: 'provider-result', callId: 'srv_1', name: 'web_search', output: found, isError: false },
  ]);
});

it.each<[string, object]>([
  [
    'an error of its own',
    { type: 'web_fetch_tool_result', tool_use_id: 'srv_2', content: { type: 'web_fetch_tool_error' } },
  ],
  ['an error of a server', { type: 'mcp_tool_result', tool_use_id: 'srv_2', is_error: true, content: [] }],
])('%s is told as one, of a call in an earlier turn too', (_, block) => {
  expect(read([start(0, block), stop(0)])).toMatchObject([{ type: 'provider-result', callId: 'srv_2', isError: true }]);
  expect(read([{ type: 'message_start', message: { content: [block] } }])).toMatchObject([{ isError: true }]);
});
