import { describe, expect, it } from 'vitest';
import { dialectFor } from './presets.ts';

describe('dialectFor', () => {
  it.each([
    ['qwen3-coder:30b', 'qwenCoder'],
    ['Qwen/Qwen3-8B', 'hermes'],
    ['llama3.1:8b', 'llama'],
    ['meta-llama/Llama-4-Scout', 'pythonic'],
    ['hermes-3-llama-3.1-8b', 'hermes'],
    ['mistral-nemo', 'mistral'],
    ['LFM2-1.2B', 'lfm'],
    ['something-new', 'hermes'],
  ])('knows what %s was trained on', (id, expected) => {
    expect(dialectFor(id)).toBe(expected);
  });
});
