import type { ContentPart, ModelRequest } from '@utensil/core';
import { expect, it } from 'vitest';
import { chatMapper } from './chat/request.ts';
import { responsesMapper } from './responses/request.ts';

const image: ContentPart = {
  type: 'image',
  mediaType: 'image/png',
  data: 'iVBORw0K',
  providerOptions: {
    'openai-chat': { image_url: { detail: 'high' } },
    'openai-responses': { detail: 'low' },
    'openrouter-chat': { cache_control: {} },
  },
};
const text: ContentPart = {
  type: 'text',
  text: 'Hi',
  providerOptions: { 'openai-chat': { mark: 1 }, 'openai-responses': { mark: 2 } },
};

const requestOf = (...parts: readonly ContentPart[]): ModelRequest => ({
  system: '',
  messages: [{ id: 'm', role: 'user', parts, createdAt: 0 }],
  tools: [],
  toolChoice: 'auto',
});

it('a part has the members that the app gave it for Chat Completions, or for a server of its own', () => {
  const url = 'data:image/png;base64,iVBORw0K';
  const contentOf = (api?: string) =>
    chatMapper({ modelId: 'm', ...(api !== undefined && { api }) })(requestOf(image)).messages.at(-1)?.content;
  expect(contentOf()).toEqual([{ type: 'image_url', image_url: { url, detail: 'high' } }]);
  expect(contentOf('openrouter-chat')).toEqual([{ type: 'image_url', image_url: { url }, cache_control: {} }]);
  expect(chatMapper({ modelId: 'm' })(requestOf(text)).messages.at(-1)?.content).toEqual([
    { type: 'text', text: 'Hi', mark: 1 },
  ]);
});

it('a part has the members that the app gave it for Responses', () => {
  const toBody = responsesMapper({ modelId: 'gpt-5.6' });
  expect(toBody(requestOf(text, image)).input).toMatchObject([
    {
      content: [
        { type: 'input_text', text: 'Hi', mark: 2 },
        { type: 'input_image', detail: 'low' },
      ],
    },
  ]);
  expect(toBody(requestOf(text)).input).toMatchObject([{ content: [{ mark: 2 }] }]);
});
