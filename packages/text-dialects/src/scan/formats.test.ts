import { describe, expect, it } from 'vitest';
import { readCalls } from '../model/calls.ts';
import { dialects } from '../dialects/dialects.ts';
import type { DialectName } from '../dialects/dialects.ts';
import { formats, formatTools } from '../test-kit/formats.ts';

describe.each(Object.entries(formats))('what models write in %s', (name, cases) => {
  it.each(cases)('%s', (_, text, expected) => {
    const found = readCalls(text, dialects[name as DialectName], formatTools);
    expect(found.map((call) => (call.problem === undefined ? [call.name, call.input] : [call.name, 'wrong']))).toEqual(
      expected,
    );
  });
});
