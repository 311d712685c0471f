import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromWireName, wireName } from './wire-name.ts';

it('leaves a name alone that every api takes', () => {
  for (const name of ['a', '_', 'read_file', 'Read-2', 'x'.repeat(64)]) expect(wireName(name)).toBe(name);
});

it('tells names apart of which the same is left', () => {
  const names = ['files.read', 'files/read', 'files_read', 'größe', 'gr__e', 'x'.repeat(65), 'x'.repeat(66), '', '1a'];
  expect(new Set(names.map((name) => wireName(name))).size).toBe(names.length);
  expect(wireName('files.read')).toMatch(/^files_read_[0-9a-f]{8}$/);
});

it('makes a name that every api takes, and finds the tool again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 150 }), fc.constantFrom(32, 64, 128), (name, limit) => {
      const wire = wireName(name, limit);
      expect(wire).toMatch(/^[A-Za-z_][A-Za-z0-9_-]*$/);
      expect(wire.length).toBeLessThanOrEqual(limit);
      expect(wireName(wire, limit)).toBe(wire);
      expect(fromWireName(wire, [{ name: 'other' }, { name }], limit)).toBe(name);
      expect(fromWireName('unknown tool', [{ name: 'other' }])).toBe('unknown tool');
    }),
  );
});

it('finds a tool that was added to the list since, and each of a frozen list', () => {
  const tools = [{ name: 'a' }];
  expect(fromWireName(wireName('b.c'), tools)).toBe(wireName('b.c'));
  tools.push({ name: 'b.c' });
  expect(fromWireName(wireName('b.c'), tools)).toBe('b.c');
  const frozen = Object.freeze([{ name: 'a' }, { name: 'b.c' }]);
  for (let round = 0; round < 2; round++)
    expect(['a', wireName('b.c'), 'other'].map((name) => fromWireName(name, frozen))).toEqual(['a', 'b.c', 'other']);
});
