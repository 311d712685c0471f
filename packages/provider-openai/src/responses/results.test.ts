import type { ModelPart } from '@utensil/core';
import { withProviderResults } from '@utensil/core/provider';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { expect, it } from 'vitest';
import { resultsIn } from './results.ts';
import { eventReader } from './stream.ts';

function read(...items: readonly object[]): readonly ModelPart[] {
  const reader = withProviderResults(eventReader({ tools: [] }), resultsIn);
  const events = items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item }));
  return events
    .flatMap((event) => reader.read(event as object as ResponseStreamEvent))
    .filter(({ type }) => type === 'provider-result');
}

it.each<[string, object, object]>([
  [
    'code',
    {
      type: 'code_interpreter_call',
      id: 'ci_1',
      code: '1',
      outputs: [{ type: 'logs', logs: '1' }],
      status: 'completed',
    },
    { callId: 'ci_1', name: 'code_interpreter', output: [{ type: 'logs', logs: '1' }], isError: false },
  ],
  [
    'a server that failed',
    { type: 'mcp_call', id: 'mcp_1', name: 'ask', arguments: '{}', output: null, error: { message: 'No.' } },
    { callId: 'mcp_1', name: 'ask', output: { message: 'No.' }, isError: true },
  ],
  [
    'a search',
    {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'a', sources: [{ url: 'https://a.example' }] },
    },
    { callId: 'ws_1', name: 'web_search', output: [{ url: 'https://a.example' }], isError: false },
  ],
])('the result of %s is a part behind its call', (_, item, part) => {
  expect(read(item)).toEqual([{ type: 'provider-result', ...part }]);
});

it('a program has its result in an item behind it; an image and our own calls have none', () => {
  const program = { type: 'program', id: 'p', call_id: 'call_p', code: '1', fingerprint: 'f' };
  expect(read(program, { type: 'program_output', call_id: 'call_p', result: '1' })).toMatchObject([
    { callId: 'call_p', name: 'program', output: '1' },
  ]);
  const ours = { type: 'function_call', id: 'f', call_id: 'c', name: 'read', arguments: '{}', output: 'x' };
  expect(read(ours, { type: 'image_generation_call', id: 'i', result: 'iVBORw0K' })).toEqual([]);
});
