import { expect, it, vi } from 'vitest';
import { anthropic } from './anthropic.ts';

vi.mock('./failures.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

it('takes a server for unreachable if what judges failures cannot be loaded', async () => {
  const create = () => Promise.reject(new Error('No network.'));
  const { stream } = anthropic('claude-sonnet-5-5', { client: { messages: { create } } });
  const request = { system: '', messages: [], tools: [], toolChoice: 'auto' } as const;
  const parts = stream(request, { signal: new AbortController().signal });
  await expect(parts[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'model_unreachable',
    retryable: true,
  });
});
