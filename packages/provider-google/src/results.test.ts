import type { ModelPart } from '@utensil/core';
import { withProviderResults } from '@utensil/core/provider';
import { expect, it } from 'vitest';
import { resultsIn } from './generate/results.ts';
import { chunkReader } from './generate/stream.ts';
import { resultFinder } from './interactions/results.ts';
import { eventReader } from './interactions/stream.ts';

const hosted = ({ type }: ModelPart) => type === 'tool-call' || type === 'provider-result';

it('results of generateContent go with their calls, with ids and without', () => {
  const reader = withProviderResults(chunkReader({ tools: [], newId: () => 'new' }), resultsIn);
  const parts = [
    { executableCode: { language: 'PYTHON', code: '1 / 0' } },
    { codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'ZeroDivisionError' } },
    { toolCall: { id: 't', toolType: 'URL_CONTEXT', args: { url: 'https://a.example' } } },
    { toolResponse: { id: 't', toolType: 'URL_CONTEXT', response: { text: 'A' } } },
  ];
  const read = parts.flatMap((part) => reader.read({ candidates: [{ content: { parts: [part] } }] }));
  expect(read.filter(hosted)).toMatchObject([
    { type: 'tool-call', callId: 'new' },
    { type: 'provider-result', callId: 'new', output: 'ZeroDivisionError', isError: true },
    { type: 'tool-call', callId: 't' },
    { type: 'provider-result', callId: 't', output: { text: 'A' }, isError: false },
  ]);
});

it('results of the Interactions API are steps, which may come in pieces', () => {
  const reader = withProviderResults(eventReader({ tools: [], isStored: false }), resultFinder());
  const call = { type: 'google_search_call', id: 'g', arguments: { queries: ['a'] } };
  const events = [
    { event_type: 'step.start', index: 0, step: call },
    { event_type: 'step.stop', index: 0 },
    { event_type: 'step.start', index: 1, step: { type: 'google_search_result', call_id: 'g' } },
    { event_type: 'step.delta', index: 1, delta: { type: 'google_search_result', result: [{ title: 'A' }] } },
    { event_type: 'step.stop', index: 1 },
  ];
  const read = events.flatMap((event) => reader.read(event as never));
  expect(read.filter(hosted)).toMatchObject([
    { type: 'tool-call', callId: 'g', name: 'google_search' },
    { type: 'provider-result', callId: 'g', name: 'google_search', output: [{ title: 'A' }], isError: false },
  ]);
});
