import type { ContentPart, Json, Message, Part, ToolCallPart, ToolResultPart } from '@utensil/core';
import { expect, it } from 'vitest';
import { historyMapper } from './history.ts';

const modelId = 'gemini-3.8-flash';
const unsigned = 'skip_thought_signature_validator';
const text = (value: string): Part => ({ type: 'text', text: value });
const call = (callId: string, more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool-call',
  callId,
  name: 'read',
  input: { path: callId },
  executedBy: 'us',
  ...more,
});

function message(role: Message['role'], parts: readonly Part[], origin?: Message['origin']): Message {
  return { id: 'm', role, parts, createdAt: 0, ...(origin !== undefined && { origin }) };
}

const user = (...parts: Part[]) => message('user', parts);

function answer(callId: string, more: Partial<ToolResultPart> = {}): Message {
  const modelParts = [{ type: 'text', text: `of ${callId}` }] as const;
  return message('tool', [
    { type: 'tool-result', callId, name: 'read', output: '', modelParts, isError: false, ...more },
  ]);
}

function own(parts: readonly Part[], state: Json, model = modelId): Message {
  return message('assistant', parts, { api: 'gemini', model, state });
}

function mapped(messages: readonly Message[], model = modelId): unknown {
  return historyMapper(model)(messages);
}

it('hands back all results of a turn in one content, in order, and what the user said in another', () => {
  const turn = message('assistant', [text('Both.'), call('c1'), call('c2')]);
  const failed = answer('c2', { isError: true });
  expect(mapped([user(text('Go')), turn, answer('c1'), failed, user(text('And?'))])).toEqual([
    { role: 'user', parts: [{ text: 'Go' }] },
    {
      role: 'model',
      parts: [
        { text: 'Both.' },
        { functionCall: { name: 'read', args: { path: 'c1' } }, thoughtSignature: unsigned },
        { functionCall: { name: 'read', args: { path: 'c2' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'read', response: { output: 'of c1' } } },
        { functionResponse: { name: 'read', response: { error: 'of c2' } } },
      ],
    },
    { role: 'user', parts: [{ text: 'And?' }] },
  ]);
});

it('echoes the parts of its own model with their signatures, ids and names, and with the input that ran', () => {
  const parts = [
    { text: 'Hm.', thought: true },
    { functionCall: { name: 'default_api:read', args: { path: '1' } }, thoughtSignature: 'sig-1' },
    { functionCall: { id: 'g2', name: 'read' } },
    { text: '', thoughtSignature: 'sig-2' },
  ];
  const turn = own([call('made-1', { input: { path: 'ran' } }), call('g2', { input: {} })], {
    parts,
    callIds: ['made-1', 'g2'],
  });
  expect(mapped([user(text('Go')), turn, answer('made-1'), answer('g2')])).toMatchObject([
    {},
    {
      role: 'model',
      parts: [
        parts[0],
        { functionCall: { name: 'default_api:read', args: { path: 'ran' } }, thoughtSignature: 'sig-1' },
        { functionCall: { id: 'g2', name: 'read', args: {} } },
        parts[3],
      ],
    },
    {
      parts: [
        { functionResponse: { name: 'default_api:read', response: { output: 'of made-1' } } },
        { functionResponse: { name: 'read', id: 'g2' } },
      ],
    },
  ]);
});

it('drops calls that the message has no more, and signs the first that is left', () => {
  const parts = [
    { functionCall: { name: 'read' }, thoughtSignature: 'sig' },
    { functionCall: { name: 'read', args: {} } },
  ];
  const turn = own([call('c2')], { parts, callIds: ['c1', 'c2'] });
  expect(mapped([user(text('Go')), turn])).toMatchObject([
    {},
    { parts: [{ functionCall: { name: 'read', args: { path: 'c2' } }, thoughtSignature: unsigned }] },
  ]);
});

it.each([
  ['another model', { api: 'gemini', model: 'gemini-3.1-pro-preview' }],
  ['another api', { api: 'gemini-interactions', model: modelId }],
])('gives no state of %s', (_, origin) => {
  const state = { parts: [{ text: 'Secret.', thoughtSignature: 'sig' }], callIds: [] };
  const turn = message('assistant', [text('Hi.'), call('c1')], { ...origin, state });
  expect(mapped([user(text('Go')), turn])).toMatchObject([
    {},
    { parts: [{ text: 'Hi.' }, { thoughtSignature: unsigned }] },
  ]);
});

it('rebuilds a message whose state does not have its calls, or is none', () => {
  const turn = own([call('c1'), call('c2')], { parts: [{ functionCall: { name: 'read' } }], callIds: ['c1'] });
  for (const each of [turn, own(turn.parts, { parts: 5 }), own(turn.parts, 'odd')]) {
    expect(mapped([user(text('Go')), each])).toMatchObject([{}, { parts: [{ thoughtSignature: unsigned }, {}] }]);
  }
});

it('signs nothing for models that know no signatures', () => {
  expect(JSON.stringify(mapped([message('assistant', [call('c1')])], 'gemini-2.5-flash'))).not.toContain('thoughtSig');
});

it('begins with the user, joins the turns of the model, and has nothing empty', () => {
  const blank = message('assistant', [text(''), { type: 'reasoning', text: 'Hm.' }]);
  const hosted = call('h1', { executedBy: 'provider' });
  const messages = [message('assistant', [text('a')]), message('assistant', [hosted, call('c1')]), answer('c1'), blank];
  expect(mapped([...messages, user(text('')), user()])).toEqual([
    { role: 'user', parts: [{ text: '…' }] },
    {
      role: 'model',
      parts: [{ text: 'a' }, { functionCall: { name: 'read', args: { path: 'c1' } }, thoughtSignature: unsigned }],
    },
    { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'of c1' } } }] },
    { role: 'user', parts: [{ text: '(empty)' }, { text: '(empty)' }] },
  ]);
});

const png = { type: 'image', mediaType: 'image/png', data: 'iVBO' } as const;
const pdf = { type: 'file', mediaType: 'application/pdf', url: 'https://example.com/a.pdf' } as const;
const sound = { type: 'file', mediaType: 'audio/mpeg', name: 'a.mp3', data: 'SUQz' } as const;
const zip = { type: 'file', mediaType: 'application/zip', name: 'a.zip', data: 'UEsD' } as const;
const csv = { type: 'file', mediaType: 'text/csv', name: 'a.csv', data: btoa('a,b') } as const;
const gif = { type: 'image', mediaType: 'image/gif', url: 'https://example.com/a.gif' } as const;

it('shows files to the model, reads texts to it, and describes what it cannot see', () => {
  expect(mapped([user(png, pdf, sound, zip, csv, gif)])).toEqual([
    {
      role: 'user',
      parts: [
        { inlineData: { mimeType: 'image/png', data: 'iVBO' } },
        { fileData: { mimeType: 'application/pdf', fileUri: 'https://example.com/a.pdf' } },
        { inlineData: { mimeType: 'audio/mpeg', data: 'SUQz' } },
        { text: '[File "a.zip" (application/zip, 3 bytes), not shown to this model]' },
        { text: 'a.csv:\na,b' },
        { text: '[Image (image/gif) at https://example.com/a.gif, not shown to this model]' },
      ],
    },
  ]);
});

const odd: readonly ContentPart[] = [
  { type: 'audio', mediaType: 'audio/wav', name: 'a.wav', data: 'UklGRg==' },
  { type: 'audio', mediaType: 'text/html', data: 'PGI+' },
  { type: 'audio', mediaType: 'audio/wav', data: '' },
  { type: 'resource-link', uri: 'javascript:alert(1)\u202e\n', name: 'a"\n', size: 9 },
  { type: 'audio', mediaType: 'audio/x-unheard-of', data: 'AAAA' },
  { type: 'audio', mediaType: 'audio/wav', url: 'javascript:alert(1)' },
];
const words = [
  '[Audio (text/html, 3 bytes), not shown to this model]',
  '[Audio (audio/wav, 0 bytes), not shown to this model]',
  '[Resource link "a\\"" (9 bytes) at javascript:alert(1)%E2%80%AE%0A, not loaded]',
  '[Audio (audio/x-unheard-of, 3 bytes), not shown to this model]',
  '[Audio (audio/wav) at javascript:alert(1), not shown to this model]',
];

it('hears recordings, reads of links, and describes what the API would refuse', () => {
  const heard = { inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } };
  expect(mapped([user(...odd)])).toEqual([{ role: 'user', parts: [heard, ...words.map((each) => ({ text: each }))] }]);
  const turn = message('assistant', [call('c1')]);
  expect(mapped([user(text('Go')), turn, answer('c1', { modelParts: odd })])).toMatchObject([
    {},
    {},
    { parts: [{ functionResponse: { response: { output: words.join('\n') } } }] },
    { parts: [{ text: 'From read:' }, heard] },
  ]);
});

it('puts images and documents of a result into it, and other files behind all results', () => {
  const turn = message('assistant', [call('c1'), call('c2')]);
  const messages = [user(text('Go')), turn, answer('c1', { modelParts: [png, sound, csv] }), answer('c2')];
  expect(mapped(messages)).toMatchObject([
    {},
    {},
    {
      parts: [
        {
          functionResponse: {
            response: { output: 'a.csv:\na,b' },
            parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBO' } }],
          },
        },
        { functionResponse: { response: { output: 'of c2' } } },
      ],
    },
    { role: 'user', parts: [{ text: 'From read:' }, { inlineData: { mimeType: 'audio/mpeg' } }] },
  ]);
  expect(mapped(messages, 'gemini-2.5-pro')).toMatchObject([
    {},
    {},
    { parts: [{ functionResponse: { response: { output: 'a.csv:\na,b' } } }, {}] },
    { parts: [{ text: 'From read:' }, { inlineData: { mimeType: 'image/png' } }, {}] },
  ]);
});

it('maps a message once', () => {
  const map = historyMapper(modelId);
  const messages = [user(text('Go')), message('assistant', [call('c1')]), answer('c1')];
  const [first] = map(messages);
  const [again] = map([...messages, user(text('And?'))]);
  expect(again?.parts?.[0]).toBe(first?.parts?.[0]);
});

it('a call goes back by the name that the model wrote, if it is a former one of the tool', () => {
  const turn = message('assistant', [call('c1', { calledAs: 'look' })]);
  const sent = JSON.stringify(mapped([user(text('Go.')), turn, answer('c1', { calledAs: 'look' })]));
  expect(sent.match(/"name":"look"/g)).toHaveLength(2);
  expect(sent).not.toContain('read');
});
