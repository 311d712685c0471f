import type { Json } from '@utensil/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call } from '../texts/english.ts';
import { says, summaryOf } from './summary.ts';

describe('summaryOf', () => {
  it.each<[string, Json, string | undefined, string]>([
    ['what its tool says', 'one\ntwo', '2 lines', '2 lines'],
    [
      'the JSON in short where its tool says a lone brace',
      '{\n  "files": 3,\n  "total": 12\n}',
      '}',
      'files: 3, total: 12',
    ],
    [
      'an object in short',
      { files: 3, names: ['a', 'b'], of: { a: 1 } },
      undefined,
      'files: 3, names: 2 items, of: {…}',
    ],
    ['a list of things by their number', [{ a: 1 }, { b: 2 }, { c: 3 }], undefined, '3 items'],
    ['a list of words by its words', ['milk', 'bread'], undefined, 'milk, bread'],
    ['the first line that says something', '\n---\n{\n  Saved to /a.md\n}', undefined, 'Saved to /a.md'],
    ['the first line of JSON that is cut off', '{\n  "name": "a', undefined, '"name": "a'],
    ['an emoji', '✓', undefined, '✓'],
    ['nothing of what is empty', '', undefined, ''],
    ['nothing of no output', null, undefined, ''],
  ])('is %s', (_, output, status, summary) => {
    expect(summaryOf({ isError: false, output, ...(status !== undefined && { status }) }, call)).toBe(summary);
  });

  const line = fc.oneof(
    fc.constantFrom('}', '{', '```', '---', '],', '…', '', 'Done.', '"a": 1', '- milk'),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));
  const json = fc.jsonValue().map((value) => JSON.stringify(value, null, 2));

  it('is never a lone brace or other punctuation where a line of the result says more', () => {
    fc.assert(
      fc.property(fc.oneof(text, json), fc.option(text, { nil: undefined }), (output, status) => {
        const summary = summaryOf({ isError: false, output, ...(status !== undefined && { status }) }, call);
        expect(summary).not.toContain('\n');
        expect([...summary].length).toBeLessThanOrEqual(160);
        const isBetter = output.split('\n').some((each) => says(each) && [...each].length < 100);
        const isForTerminal = /[\u001b\r\b]/.test(output); // what it shows is another text
        expect(says(summary) || !isBetter || isForTerminal).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('omits the message to the model about a declined call', () => {
    const output = 'The user denied permission to run this. Do not simply retry.';
    expect(summaryOf({ isError: true, code: 'tool_denied', output }, call)).toBe('');
    expect(summaryOf({ isError: true, code: 'tool_failed', output: 'No such file.' }, call)).toBe('No such file.');
  });

  it('looks at the beginning of a long result only', () => {
    expect(summaryOf({ isError: false, output: 'x'.repeat(5_000_000) }, call)).toHaveLength(160);
  });
});
