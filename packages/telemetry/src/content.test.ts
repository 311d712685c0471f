import { expect, it } from 'vitest';
import { toContent } from './content.ts';

it('reports recordings and links without their data', () => {
  const parts = [
    { type: 'audio', mediaType: 'audio/wav', data: 'UklGRg==' },
    { type: 'audio', mediaType: 'audio/wav', url: 'https://a.example/a.wav' },
    { type: 'resource-link', uri: 'file:///a', name: 'a', description: 'b' },
  ] as const;
  expect(toContent({ id: '1', role: 'user', parts, createdAt: 0 }).parts).toEqual([
    { type: 'audio', modality: 'audio', mime_type: 'audio/wav', characters: 8 },
    { type: 'uri', modality: 'audio', mime_type: 'audio/wav', uri: 'https://a.example/a.wav' },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
  ]);
});
