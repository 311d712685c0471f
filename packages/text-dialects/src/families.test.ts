import { describe, expect, it } from 'vitest';
import { dialectFor } from './families.ts';

describe('dialectFor', () => {
  it.each([
    ['qwen3-coder:30b', 'qwenCoder'],
    ['Qwen/Qwen3-8B', 'hermes'],
    ['llama3.1:8b', 'llama'],
    ['meta-llama/Llama-4-Scout', 'pythonic'],
    ['hermes-3-llama-3.1-8b', 'hermes'],
    ['llama3.2:3b', 'pythonic'],
    ['llama4', 'pythonic'],
    ['OLMo-3-7B', 'pythonic'],
    ['Qwen/Qwen3.5-9B', 'qwenCoder'],
    ['nemotron-nano', 'qwenCoder'],
    ['mistral-nemo', 'mistral'],
    ['mixtral:8x7b', 'mistral'],
    ['devstral', 'mistral'],
    ['LFM2-1.2B', 'lfm'],
    ['something-new', 'hermes'],
  ])('knows what %s was trained on', (id, expected) => {
    expect(dialectFor(id)).toBe(expected);
  });
});
