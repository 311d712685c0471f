import type { FunctionDefinition, ModelRequest, NativeDefinition } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { generateMapper } from './request.ts';

const read: FunctionDefinition = {
  type: 'function',
  name: 'read',
  description: 'Reads.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const search: NativeDefinition = { type: 'native', name: 'web', definition: { googleSearch: {} } };
const snake: NativeDefinition = { type: 'native', name: 'code', definition: { code_execution: {} } };

function bodyOf(more: Partial<ModelRequest> = {}, modelId = 'gemini-3.8-flash'): Record<string, unknown> {
  return generateMapper(modelId)({ system: '', messages: [], tools: [], toolChoice: 'auto', ...more });
}

it('declares functions in one tool, with JSON Schema, and nothing if there are none', () => {
  const now = { ...read, name: 'now', inputSchema: { type: 'object', properties: {} }, examples: [{ a: 1 }] } as const;
  expect(bodyOf({ tools: [now, read] })).toEqual({
    contents: [],
    generationConfig: {},
    tools: [
      {
        functionDeclarations: [
          {
            name: 'now',
            description: 'Reads.\n\nExamples of input:\n{"a":1}',
            parametersJsonSchema: { type: 'object', properties: {} },
          },
          { name: 'read', description: 'Reads.', parametersJsonSchema: read.inputSchema },
        ],
      },
    ],
  });
  expect(bodyOf()).toEqual({ contents: [], generationConfig: {} });
});

it('sends definitions of Google unchanged, and asks for their calls if there are functions too', () => {
  expect(bodyOf({ tools: [search, snake] })).toEqual({
    contents: [],
    generationConfig: {},
    tools: [{ googleSearch: {} }, { code_execution: {} }],
  });
  expect(bodyOf({ tools: [read, search], toolChoice: 'none' })).toMatchObject({
    tools: [{ functionDeclarations: [{ name: 'read' }] }, { googleSearch: {} }],
    toolConfig: { functionCallingConfig: { mode: 'NONE' }, includeServerSideToolInvocations: true },
  });
});

it('says before anything is sent what the API would refuse', () => {
  const many = Array.from({ length: 513 }, (_, index) => ({ ...read, name: `t${index}` }));
  expect(() => bodyOf({ tools: many })).toThrow('Gemini takes 512 functions at most, not 513');
  for (const definition of [{ computerUse: {} }, { computer_use: {} }]) {
    expect(() => bodyOf({ tools: [{ ...search, definition }] })).toThrow('define it as a function');
  }
});

it.each([
  ['auto', undefined],
  ['none', { mode: 'NONE' }],
  ['required', { mode: 'ANY' }],
  [{ tool: 'read' }, { mode: 'ANY', allowedFunctionNames: ['read'] }],
  [{ tool: 'web' }, undefined],
] as const)('says whether to call functions: %j', (toolChoice, functionCallingConfig) => {
  const { toolConfig } = bodyOf({ tools: [read, search], toolChoice }) as { toolConfig: Record<string, unknown> };
  expect(toolConfig['functionCallingConfig']).toEqual(functionCallingConfig);
});

describe('thinking', () => {
  it.each([
    ['gemini-3.8-flash', 'none', { includeThoughts: false, thinkingLevel: 'MINIMAL' }],
    ['gemini-3.1-pro-preview', 'none', { includeThoughts: false, thinkingLevel: 'LOW' }],
    ['gemini-4-argon', 'high', { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-2.5-flash', 'none', { includeThoughts: false, thinkingBudget: 0 }],
    ['gemini-2.5-pro', 'none', { includeThoughts: false, thinkingBudget: 128 }],
    ['gemini-2.5-pro', 'low', { includeThoughts: true, thinkingBudget: 2_048 }],
    ['gemini-2.0-flash', 'high', undefined],
  ] as const)('of %s is asked for with %s', (modelId, reasoning, thinkingConfig) => {
    expect(bodyOf({ reasoning }, modelId)['generationConfig']).toEqual(
      thinkingConfig === undefined ? {} : { thinkingConfig },
    );
  });

  it('is left to the model if nothing is asked', () => {
    expect(bodyOf({ maxOutputTokens: 5 })['generationConfig']).toEqual({ maxOutputTokens: 5 });
  });
});

it('merges what only Google has, and lets it win', () => {
  const providerOptions = { generationConfig: { temperature: 0 }, safetySettings: [], contents: [{ parts: [] }] };
  expect(bodyOf({ system: 'a\ud800', maxOutputTokens: 5, providerOptions })).toEqual({
    contents: [{ parts: [] }],
    systemInstruction: { parts: [{ text: 'a\ufffd' }] },
    generationConfig: { maxOutputTokens: 5, temperature: 0 },
    safetySettings: [],
  });
});
