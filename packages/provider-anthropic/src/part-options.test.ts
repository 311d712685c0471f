import { expect, it } from 'vitest';
import { toBlocks, toToolResult } from './content.ts';

const cached = { cache_control: { type: 'ephemeral' } };
const providerOptions = { 'anthropic-messages': cached, gemini: { mediaResolution: 'LOW' } };

it('a part has the members that the app gave it for this API', () => {
  const data = 'iVBORw0K';
  const [text, image, words] = toBlocks([
    { type: 'text', text: 'Hi', providerOptions },
    { type: 'image', mediaType: 'image/png', data, providerOptions },
    { type: 'image', mediaType: 'image/tiff', data, providerOptions },
  ]);
  expect(text).toEqual({ type: 'text', text: 'Hi', ...cached });
  expect(image).toMatchObject({ type: 'image', ...cached });
  expect(words).not.toHaveProperty('cache_control'); // it is shown in words, of which nothing more was said
});

it('a result of one text has them too', () => {
  const result = { type: 'tool-result', callId: 'c', name: 'read', output: null, isError: false } as const;
  const modelParts = [{ type: 'text', text: 'Hi', providerOptions } as const];
  expect(toToolResult({ ...result, modelParts }).content).toEqual([{ type: 'text', text: 'Hi', ...cached }]);
});
