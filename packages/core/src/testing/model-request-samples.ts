import type { ContentPart } from '../model/message.ts';
import type { FunctionDefinition } from '../model/model.ts';
import type { RequestSettings } from '../model/request-settings.ts';

/** One pixel. */
export const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const picture: ContentPart = { type: 'image', mediaType: 'image/png', data: image };

export const unusualNames = [
  'files.read',
  'files_read',
  'files/read',
  'files-read',
  'Files-Read',
  'filesRead',
  'größe',
  '1st',
  'read file',
  `long_${'x'.repeat(95)}`,
];

export const unusualSchemas: readonly FunctionDefinition['inputSchema'][] = [
  { type: 'object' },
  { type: 'object', properties: {}, additionalProperties: false },
  {
    anyOf: [
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'object', properties: { b: {} } },
    ],
  },
  {
    type: 'object',
    properties: { tree: { $ref: '#/$defs/tree' }, kind: { enum: ['a', 'b'] }, size: { type: ['number', 'null'] } },
    required: ['tree'],
    $defs: { tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } } } },
  },
];

export const settingsTried: readonly RequestSettings[] = [
  { temperature: 0.25 },
  { topP: 0.5 },
  { stop: ['END'] },
  { seed: 7 },
  { responseFormat: 'json' },
  { responseFormat: { schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } } },
  ...(['auto', 'standard', 'flex', 'priority'] as const).map((serviceTier) => ({ serviceTier })),
];
