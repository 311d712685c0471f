import type { ModelPart, ToolDefinition } from '@utensil/core';
import { geminiChunks } from '@utensil/tooling-loopback/google';
import { describe, expect, it } from 'vitest';
import { chunkReader } from './stream.ts';

// Chunks are made by hand, after the documentation.
const native = (name: string, definition: object) => ({ type: 'native', name, definition }) as ToolDefinition;

async function partsOf(chunks: readonly unknown[], tools: readonly ToolDefinition[] = []): Promise<ModelPart[]> {
  let made = 0;
  const reader = chunkReader({ tools, newId: () => `made-${++made}` });
  return [...chunks.flatMap((chunk) => reader.read(chunk)), ...(await reader.end())];
}

function progressOf(chunks: readonly unknown[]): string {
  const reader = chunkReader({ tools: [], newId: () => 'made' });
  for (const chunk of chunks) reader.read(chunk);
  return reader.progress();
}

const last = async (chunks: readonly unknown[], tools?: readonly ToolDefinition[]) =>
  (await partsOf(chunks, tools)).at(-1);

it('[S4-12] reads thoughts, text and calls, and keeps each signature on the part that it came with', async () => {
  const chunks = geminiChunks([
    { text: 'Hm', thought: true },
    { text: '.', thought: true },
    { text: 'I ' },
    { text: 'look.' },
    { functionCall: { name: 'default_api.read', args: { path: 'a' } }, thoughtSignature: 's1' },
    { functionCall: { id: 'g1', name: 'now' } },
    { functionCall: { id: 'g1', name: 'now', args: {} } },
    { text: '', thoughtSignature: 's2' },
  ]);
  const read = { type: 'function', name: 'read', description: '', inputSchema: {} } as const;
  const call = (callId: string, name: string, input: object) => [
    { type: 'tool-input-start', callId, name },
    { type: 'tool-input-delta', callId, delta: JSON.stringify(input) },
    { type: 'tool-call', callId, name, input, executedBy: 'us' },
  ];
  expect(await partsOf(chunks, [read])).toEqual([
    { type: 'reasoning-delta', text: 'Hm' },
    { type: 'reasoning-delta', text: '.' },
    { type: 'text-delta', text: 'I ' },
    { type: 'text-delta', text: 'look.' },
    ...call('made-1', 'read', { path: 'a' }),
    ...call('g1', 'now', {}),
    ...call('made-2', 'now', {}),
    {
      type: 'finish',
      reason: 'tool-calls',
      usage: { inputTokens: 10, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
      state: {
        parts: [
          { text: 'Hm.', thought: true },
          { text: 'I look.' },
          { functionCall: { name: 'default_api.read', args: { path: 'a' } }, thoughtSignature: 's1' },
          { functionCall: { id: 'g1', name: 'now' } },
          { functionCall: { id: 'g1', name: 'now', args: {} } },
          { text: '', thoughtSignature: 's2' },
        ],
        callIds: ['made-1', 'g1', 'made-2'],
      },
    },
  ]);
});

it('keeps no state of an answer whose text says everything, and never joins a signed text with another', async () => {
  expect(await last(geminiChunks([{ text: 'Hel' }, { text: 'lo.' }, { text: '' }]))).not.toHaveProperty('state');
  const parts = [{ text: 'a' }, { text: 'b', thoughtSignature: 's' }, { text: 'c' }];
  expect(await last(geminiChunks(parts))).toMatchObject({ state: { parts } });
});

it('takes a signature that comes alone, and nothing at all', async () => {
  const chunks = geminiChunks([{ text: 'a' }, {}, { thoughtSignature: 's' }, {}]);
  expect(await last(chunks)).toMatchObject({ state: { parts: [{ text: 'a' }, { text: '', thoughtSignature: 's' }] } });
});

it('[S4-12] runs nothing of a call that comes in pieces', async () => {
  const pieces = [{ functionCall: { name: 'write', willContinue: true } }, { functionCall: {} }];
  await expect(partsOf(geminiChunks(pieces))).rejects.toMatchObject({ code: 'model_request_invalid' });
});

it.each([
  [undefined, '{}', { input: {} }],
  [null, '{}', { input: {} }],
  ['{"path":"a"}', '{"path":"a"}', { input: { path: 'a' } }],
  ['{"path', '{"path', { input: {}, invalidInput: '{"path' }],
  [['a'], '["a"]', { input: {}, invalidInput: '["a"]' }],
])('[S4-12] reads %j as arguments, and reports an error if they are not valid', async (args, delta, input) => {
  const parts = await partsOf(geminiChunks([{ functionCall: { name: 'now', args } }]));
  const call = { callId: 'made-1', name: 'now' };
  expect(parts.slice(0, -1)).toEqual([
    { type: 'tool-input-start', ...call },
    { type: 'tool-input-delta', callId: 'made-1', delta },
    { type: 'tool-call', ...call, ...input, executedBy: 'us' },
  ]);
});

it('counts thoughts as output, and what tools of Google have read as input', async () => {
  const usage = {
    promptTokenCount: 100,
    cachedContentTokenCount: 60,
    toolUsePromptTokenCount: 7,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 30,
  };
  const chunks = [...geminiChunks([{ text: 'a' }], { usage }), { usageMetadata: { trafficType: 'ON_DEMAND' } }];
  expect(await last(chunks)).toMatchObject({
    usage: { inputTokens: 107, outputTokens: 35, cacheReadTokens: 60, cacheWriteTokens: 0, reasoningTokens: 30 },
  });
});

describe('the end', () => {
  const danger = { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH', blocked: true };
  const other = { category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW' };
  const stopped = 'The answer was stopped: SAFETY (HARM_CATEGORY_DANGEROUS_CONTENT).';

  it.each([
    ['STOP', 'stop', undefined],
    ['MAX_TOKENS', 'length', undefined],
    ['SAFETY', 'content-filter', stopped],
    ['RECITATION', 'content-filter', 'The answer was stopped: RECITATION.'],
    ['PROHIBITED_CONTENT', 'content-filter', 'The answer was stopped: PROHIBITED_CONTENT.'],
    ['BLOCKLIST', 'content-filter', 'The answer was stopped: BLOCKLIST.'],
    ['SPII', 'content-filter', 'The answer was stopped: SPII.'],
    ['LANGUAGE', 'content-filter', 'The answer was stopped: LANGUAGE.'],
    ['IMAGE_SAFETY', 'content-filter', 'The answer was stopped: IMAGE_SAFETY.'],
    ['IMAGE_PROHIBITED_CONTENT', 'content-filter', 'The answer was stopped: IMAGE_PROHIBITED_CONTENT.'],
    // https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse#FinishReason
    ['MODEL_ARMOR', 'content-filter', 'The answer was stopped: MODEL_ARMOR.'],
    ['JAILBREAK', 'content-filter', 'The answer was stopped: JAILBREAK.'],
    ['IMAGE_RECITATION', 'content-filter', 'The answer was stopped: IMAGE_RECITATION.'],
    ['CONTINUATION', 'length', undefined],
    ['NO_IMAGE', 'error', 'The answer was stopped: NO_IMAGE.'],
    ['IMAGE_OTHER', 'error', 'The answer was stopped: IMAGE_OTHER.'],
    ['MALFORMED_RESPONSE', 'error', 'The model wrote an answer that cannot be read. Try again.'],
    ['MALFORMED_FUNCTION_CALL', 'error', 'The model wrote a call that cannot be read. Try again.'],
    ['UNEXPECTED_TOOL_CALL', 'error', 'The model called a tool although it has none. Try again.'],
    ['TOO_MANY_TOOL_CALLS', 'error', 'The model called too many tools in a row.'],
    ['OTHER', 'error', 'The answer was stopped: OTHER.'],
    ['SOMETHING_NEW', 'error', 'The answer was stopped: SOMETHING_NEW.'],
  ])('by %s is %s', async (finishReason, reason, detail) => {
    const candidate = finishReason === 'SAFETY' ? { safetyRatings: [danger, other] } : {};
    const end = await last(geminiChunks([{ text: 'a' }], { finishReason, candidate }));
    expect([end?.type === 'finish' && end.reason, end?.type === 'finish' && end.detail]).toEqual([reason, detail]);
  });

  it('[S4-12] is in the words of the API if it has some', async () => {
    const end = { finishReason: 'MALFORMED_FUNCTION_CALL', candidate: { finishMessage: 'Malformed: read(' } };
    expect(await last(geminiChunks([{ text: '' }], end))).toMatchObject({
      reason: 'error',
      detail: 'Malformed: read(',
    });
  });

  it('is in the words of the API where it says why a question was blocked', async () => {
    const promptFeedback = { blockReason: 'MODEL_ARMOR', blockReasonMessage: 'Blocked by the policy of example.com.' };
    expect(await partsOf([{ promptFeedback }])).toMatchObject([
      { reason: 'content-filter', detail: 'Blocked by the policy of example.com.' },
    ]);
  });

  it('is a filter if the question was blocked', async () => {
    const promptFeedback = { blockReason: 'PROHIBITED_CONTENT', safetyRatings: [danger] };
    expect(await partsOf([{ promptFeedback, usageMetadata: { promptTokenCount: 4 } }])).toMatchObject([
      {
        reason: 'content-filter',
        detail: 'The question was blocked: PROHIBITED_CONTENT (HARM_CATEGORY_DANGEROUS_CONTENT).',
        usage: { inputTokens: 4 },
      },
    ]);
  });

  it('is the limit even if there are calls', async () => {
    const call = { functionCall: { name: 'now' } };
    expect(await last(geminiChunks([call], { finishReason: 'MAX_TOKENS' }))).toMatchObject({ reason: 'length' });
  });

  it('is missed', () => {
    expect(progressOf(geminiChunks([{ text: 'a' }, { text: 'b' }]).slice(0, 1))).toBe('begun');
    expect(progressOf([])).toBe('none');
    expect(progressOf(['odd', null, { candidates: [] }])).toBe('none');
  });
});

describe('the tools of Google', () => {
  const provider = { type: 'tool-call', executedBy: 'provider' };

  it('run code, whose files are shown, and all of it goes back', async () => {
    const parts = [
      { executableCode: { language: 'PYTHON', code: 'print(1)' }, thoughtSignature: 's' },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      { inlineData: { mimeType: 'image/png', data: 'iVBO' } },
      { text: '1.' },
    ];
    expect(await partsOf(geminiChunks(parts), [native('run_code', { codeExecution: {} })])).toMatchObject([
      { ...provider, callId: 'made-1', name: 'run_code', input: { language: 'PYTHON', code: 'print(1)' } },
      { type: 'file', mediaType: 'image/png', data: 'iVBO' },
      { type: 'text-delta', text: '1.' },
      { type: 'finish', reason: 'stop', state: { parts, callIds: [] } },
    ]);
  });

  it('search, and what they found is cited once', async () => {
    const groundingMetadata = {
      webSearchQueries: ['a', 'b'],
      groundingChunks: [
        { web: { uri: 'https://a.example', title: 'A' } },
        { web: { uri: 'https://a.example', title: 'A' } },
        { maps: { uri: 'https://maps.example', title: 'M' } },
        { image: { sourceUri: 'https://i.example' } },
      ],
    };
    const urlContextMetadata = {
      urlMetadata: [
        { retrievedUrl: 'https://u.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' },
        { retrievedUrl: 'https://e.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR' },
      ],
    };
    const citationMetadata = { citations: [{ uri: 'https://c.example' }, { license: 'mit' }] };
    const end = { candidate: { groundingMetadata, urlContextMetadata, citationMetadata } };
    expect((await partsOf(geminiChunks([{ text: 'Found.' }], end))).slice(1, -1)).toEqual([
      { ...provider, callId: 'made-1', name: 'google_search', input: { queries: ['a', 'b'] } },
      { type: 'source', url: 'https://a.example', title: 'A' },
      { type: 'source', url: 'https://maps.example', title: 'M' },
      { type: 'source', url: 'https://u.example' },
      { type: 'source', url: 'https://c.example' },
    ]);
  });

  it('show their calls beside functions, and are not shown twice', async () => {
    const toolCall = { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['a'] } };
    const parts = [
      { toolCall, thoughtSignature: 's1' },
      { toolResponse: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', response: {} }, thoughtSignature: 's2' },
      { functionCall: { id: 'f1', name: 'now' }, thoughtSignature: 's3' },
    ];
    const end = { candidate: { groundingMetadata: { webSearchQueries: ['a'] } } };
    expect(await partsOf(geminiChunks(parts, end), [native('web', { googleSearch: {} })])).toMatchObject([
      { ...provider, callId: 't1', name: 'web', input: { queries: ['a'] } },
      { type: 'tool-input-start' },
      { type: 'tool-input-delta' },
      { type: 'tool-call', callId: 'f1', executedBy: 'us' },
      { type: 'finish', reason: 'tool-calls', state: { parts, callIds: ['f1'] } },
    ]);
  });
});

it('failed the whole turn for arguments nested 100,000 levels deep, in place of the call', async () => {
  const args = JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) as object;
  const chunks = [{ candidates: [{ content: { parts: [{ functionCall: { id: 'g1', name: 't', args } }] } }] }];
  const parts = await partsOf([...chunks, { candidates: [{ finishReason: 'STOP' }] }]);
  expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({
    input: {},
    invalidInput: expect.stringMatching(/^\{"a":\[\[\[/) as string,
  });
  const state = { parts: [{ functionCall: { id: 'g1', name: 't', args: {} } }], callIds: ['g1'] };
  expect(parts.at(-1)).toMatchObject({ type: 'finish', state });
});
