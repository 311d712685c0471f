import { expect, it, vi } from 'vitest';
import { openai, openaiChat } from './openai.ts';

vi.mock('./failures.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

const client = (thrown: Error) => {
  const create = () => Promise.reject(thrown);
  return { responses: { create }, chat: { completions: { create } } };
};

it.each([
  ['openai', openai],
  ['openaiChat', openaiChat],
])('takes a server for unreachable if what judges failures cannot be loaded: %s', async (_, model) => {
  const { stream } = model('gpt-5.6', { client: client(new Error('No network.')) });
  const request = { system: '', messages: [], tools: [], toolChoice: 'auto' } as const;
  const parts = stream(request, { signal: new AbortController().signal });
  await expect(parts[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'model_unreachable',
    retryable: true,
  });
});
