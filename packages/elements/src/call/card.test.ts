import fc from 'fast-check';
import type { Json } from '@utensil/core';
import { expect, it } from 'vitest';
import { cardOf } from './card.ts';

it('knows what tools show by its type', () => {
  expect(cardOf({ type: 'changes', changes: [{ path: '/a', after: 'x' }] })).toMatchObject({ kind: 'changes' });
  expect(cardOf({ type: 'terminal', command: 'ls', text: 'a', exit: { code: 0 } })).toEqual({
    kind: 'terminal',
    command: 'ls',
    text: 'a',
    end: { code: 0 },
  });
  expect(cardOf({ type: 'terminal', output: '', exit: { signal: 'SIGKILL', reason: 'too long' } })).toMatchObject({
    end: { signal: 'SIGKILL', reason: 'too long' },
  });
  expect(cardOf({ type: 'code', code: '1', language: 'js' })).toEqual({ kind: 'code', code: '1', language: 'js' });
  expect(cardOf({ type: 'agent', agent: 'a1', answer: 4, steps: 1, tokens: 1_200, cost: null })).toMatchObject({
    agent: { name: 'a1', answer: 4, steps: 1, tokens: 1_200, cost: undefined },
  });
});

it('shows values without a known type, or not of that type, unchanged', () => {
  for (const view of [
    'text',
    null,
    [1],
    { type: 'changes', changes: 'none' },
    { type: 'constructor' },
    { type: 'code' },
  ])
    expect(cardOf(view as Json)).toEqual({ kind: 'value', value: view });
  expect(cardOf({ type: 'changes', changes: [{ path: 1 }] })).toMatchObject({ kind: 'value' });
});

it('never throws', () => {
  const view = fc.record(
    {
      type: fc.constantFrom('changes', 'terminal', 'code', 'agent'),
      changes: fc.jsonValue(),
      text: fc.jsonValue(),
      exit: fc.jsonValue(),
      agent: fc.jsonValue(),
    },
    { requiredKeys: ['type'] },
  );
  fc.assert(
    fc.property(view, (view) => {
      expect(cardOf(view as Json).kind).toBeTypeOf('string');
    }),
    { numRuns: 200 },
  );
});
