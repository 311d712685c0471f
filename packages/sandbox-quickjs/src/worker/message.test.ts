import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readMessage } from './message.ts';

it('takes over no line of the console whose level is none, however long', () => {
  const line = (level: unknown): string => JSON.stringify({ type: 'console', level, text: 'said' });
  expect(readMessage(line('WARN'))).toEqual({ type: 'console', level: 'WARN', text: 'said' });
  for (const level of ['x'.repeat(1_000_000), 'log', '', 5, null, ['LOG'], { length: 1 }])
    expect(readMessage(line(level))).toBeUndefined();
});

it('reads what is a message of its kind, and nothing else, whatever code has made of it', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.constantFrom('console', 'call', 'halt', 'settled', 'toString', '__proto__'),
      (json, type) => {
        const value: unknown = JSON.parse(json);
        const made = JSON.stringify({ ...(typeof value === 'object' ? value : { value }), type });
        const message = readMessage(made);
        expect(message === undefined || ['console', 'call', 'halt', 'settled'].includes(message.type)).toBe(true);
        expect(readMessage(json.slice(1))).toBeUndefined();
      },
    ),
  );
});
