import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ToolDefinition } from '@utensil/core';
import { asText, bodyText } from './body-text.ts';

const own = ['input'];

it('is what JSON.stringify writes, the first time and each time after it', () => {
  const anyBody = fc.dictionary(
    fc.oneof(fc.constantFrom('input', 'tools', 'toString'), fc.string()),
    fc.oneof(fc.array(fc.anything({ withDate: true, withNullPrototype: true })), fc.anything({ withDate: true })),
  );
  fc.assert(
    fc.property(anyBody, (body) => {
      const expected = JSON.stringify(body);
      for (let round = 0; round < 3; round++) expect(bodyText(body, own)).toBe(expected);
      for (let round = 0; round < 3; round++) expect(bodyText({ ...body }, Object.keys(body))).toBe(expected);
    }),
  );
});

it('keeps the texts of its own lists alone: others may change', () => {
  const part = { text: 'a' };
  const body = { input: [part], metadata: [part] };
  for (let round = 0; round < 3; round++) bodyText(body, own);
  part.text = 'b';
  expect(bodyText(body, own)).toBe('{"input":[{"text":"a"}],"metadata":[{"text":"b"}]}');
});

it('writes only the end of a list that has grown', () => {
  const [a, b, c, d] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }];
  for (const input of [[a], [a, b], [a, b, c]]) bodyText({ input }, own);
  a.id = 'changed';
  c.id = 'changed';
  expect(bodyText({ input: [a, b, c, d] }, own)).toBe('{"input":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}]}');
});

it('takes lists that have grown, threads that share a beginning, and lists in another order', () => {
  const elements = [...'abcdef'].map((id) => ({ id, role: id === 'f' ? 'system' : 'user' }));
  const list = fc.array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...elements) }, fc.constant(undefined)));
  fc.assert(
    fc.property(fc.array(fc.tuple(list, fc.boolean())), (changes) => {
      let input: readonly unknown[] = [elements[0]];
      for (const [added, isNew] of changes) {
        input = isNew ? added : [...input, ...added];
        expect(bodyText({ input, tools: input }, ['input', 'tools'])).toBe(JSON.stringify({ input, tools: input }));
      }
    }),
  );
});

it('keeps the text behind instructions, which are a new object in each request', () => {
  const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  const withSystem = (...messages: readonly object[]): string =>
    bodyText({ input: [{ role: 'system', content: 'Be brief.' }, ...messages] }, own);
  for (const messages of [[], [a], [a, b]]) withSystem(...messages);
  a.id = 'changed';
  expect(withSystem(a, b, c)).toBe(
    '{"input":[{"role":"system","content":"Be brief."},{"id":"a"},{"id":"b"},{"id":"c"}]}',
  );
});

it('keeps neither the only list of a thread, nor one that is too long', () => {
  const once = { id: 'a' };
  bodyText({ input: [once] }, own);
  once.id = 'b';
  expect(bodyText({ input: [once] }, own)).toBe('{"input":[{"id":"b"}]}');
  const long = { image: 'x'.repeat(2 ** 20) };
  for (let round = 0; round < 3; round++) bodyText({ input: [long] }, own);
  long.image = '';
  expect(bodyText({ input: [long] }, own)).toBe('{"input":[{"image":""}]}');
});

it("writes what is the caller's for each request: its options, and a vendor's own definitions of tools", () => {
  const part = { text: 'a' };
  const definition = { type: 'mcp', authorization: 'one' };
  const tools: ToolDefinition[] = [{ type: 'native', name: 'x', definition }];
  const request = { providerOptions: { input: [part] }, tools };
  const body = { input: [part], tools: [definition] };
  for (let round = 0; round < 3; round++) asText(body, request);
  part.text = 'b';
  definition.authorization = 'two';
  expect(asText(body, request).body).toBe('{"input":[{"text":"b"}],"tools":[{"type":"mcp","authorization":"two"}]}');
});
