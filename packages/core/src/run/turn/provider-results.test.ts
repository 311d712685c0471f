import { expect, it } from 'vitest';
import { createRegistry, emptySettings, resolveToolset, run, withMiddleware } from '../../index.ts';
import type { Model, ModelPart } from '../../index.ts';
import { noUsage } from '../../model/usage.ts';

const result: ModelPart = { type: 'provider-result', callId: 'c', name: 'search', output: ['A'], isError: false };

it('the result of a call that the provider ran is a part of the message, behind its call, and taints the run', async () => {
  const parts: readonly ModelPart[] = [
    { type: 'tool-call', callId: 'c', name: 'search', input: {}, executedBy: 'provider' },
    result,
    { type: 'text-delta', text: 'A.' },
    { type: 'finish', reason: 'stop', usage: noUsage },
  ];
  const model: Model = {
    info: { api: 'text', id: 'm' },
    async *stream() {
      yield* parts;
    },
  };
  const passing = withMiddleware(model, { name: 'passing', stream: (request, next) => next(request) });
  const toolset = resolveToolset(createRegistry(), emptySettings, {});
  const { status, messages } = await run({ model: passing, messages: 'Hi', toolset }).result;
  expect(status).toBe('complete');
  expect(messages.at(-1)).toMatchObject({ tainted: true, parts: [parts[0], result, { type: 'text', text: 'A.' }] });
});
