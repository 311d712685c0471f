import type { ContentPart, ModelRequest } from '@utensil/core';
import { expect, it } from 'vitest';
import { generateMapper } from './generate/request.ts';
import { interactionsMapper } from './interactions/request.ts';

const providerOptions = { gemini: { mediaResolution: { level: 'LOW' } }, 'gemini-interactions': { resolution: 'low' } };
const parts: readonly ContentPart[] = [
  { type: 'image', mediaType: 'image/png', data: 'iVBORw0K', providerOptions },
  { type: 'image', mediaType: 'image/x-none', data: 'iVBORw0K', providerOptions },
  { type: 'text', text: 'Hi', providerOptions },
];
const request: ModelRequest = {
  system: '',
  messages: [{ id: 'm', role: 'user', parts, createdAt: 0 }],
  tools: [],
  toolChoice: 'auto',
};

it('a part has the members that the app gave it for the API', () => {
  const { contents } = generateMapper('gemini-3.8-flash')(request) as { contents: { parts: object[] }[] };
  const { mediaResolution } = providerOptions.gemini;
  expect(contents[0]?.parts).toMatchObject([{ mediaResolution }, {}, { text: 'Hi', mediaResolution }]);
  expect(contents[0]?.parts[1]).not.toHaveProperty('mediaResolution');
  const body = interactionsMapper({ modelId: 'gemini-3.8-flash', store: false })(request);
  expect(JSON.stringify(body).match(/"resolution":"low"/g)).toHaveLength(2);
});
