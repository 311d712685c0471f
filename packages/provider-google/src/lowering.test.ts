import type { FunctionDefinition, ModelRequest } from '@utensil/core';
import { expect, it } from 'vitest';
import { generateMapper } from './generate/request.ts';
import { interactionsMapper } from './interactions/request.ts';

it.each([
  ['google', 512, generateMapper('gemini-3.8-flash')],
  ['googleInteractions', 1_000, interactionsMapper({ modelId: 'gemini-3.8-flash', store: false })],
] as const)('lowers the schemas of many tools once, and not for each request of %s: %i', (_, count, toRequest) => {
  let reads = 0;
  const tools = Array.from({ length: count }, (__, index): FunctionDefinition => ({
    type: 'function',
    name: `tool_${index}`,
    description: 'A tool.',
    get inputSchema() {
      reads++;
      return { type: 'object', properties: { name: { type: 'string', pattern: '^a' } } };
    },
  }));
  const request: ModelRequest = { system: '', messages: [], tools, toolChoice: 'auto' };
  const [first, second] = [toRequest(request), toRequest({ ...request, toolChoice: 'required' })];
  expect(reads).toBe(count);
  expect((first as { tools: unknown }).tools).toBe((second as { tools: unknown }).tools);
  toRequest({ ...request, tools: [...tools] });
  expect(reads).toBe(2 * count);
});
