import fc from 'fast-check';
import { expect, it } from 'vitest';
import { survivors, textOf } from './together.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const key = fc.oneof(fc.string(), fc.constantFrom('id', 'type', ']}', '\n{"type":"call-begun"}'));
const entry = fc.dictionary(key, fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant('\n{}\n{}]}')));
const several = fc.array(entry, { minLength: 2, maxLength: 4 });
const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const fileOf = (entries: readonly object[]): Uint8Array =>
  encode(`${textOf({ type: 'entries', entries: asStored(entries) as never })}\n`);

it('is the same JSON as ever', () => {
  const others = fc.oneof(
    several,
    fc.jsonValue(),
    fc.constantFrom({ type: 'entries', entries: [] }, { type: 'entries' }),
  );
  fc.assert(
    fc.property(others, fc.dictionary(key, fc.jsonValue()), (entries, more) => {
      const value = asStored({ type: 'entries', entries, ...more }) as never;
      expect(JSON.parse(textOf(value))).toEqual(value);
    }),
  );
});

it('damage to a line takes its entry, and no other', () => {
  const byte = fc.integer({ min: 0, max: 255 }).filter((value) => value !== 0x0a);
  fc.assert(
    fc.property(several, fc.nat(), fc.array(byte, { minLength: 1, maxLength: 5 }), (entries, at, bytes) => {
      const file = fileOf(entries);
      const lines: Uint8Array[] = new TextDecoder().decode(file).split('\n').slice(0, -1).map(encode);
      const line = at % lines.length;
      lines[line] = Uint8Array.from([...(lines[line] ?? file).subarray(0, at % 7), ...bytes]);
      const damaged = Uint8Array.from(lines.flatMap((each) => [...each, 0x0a]));
      const others = (all: readonly unknown[]): readonly unknown[] => all.filter((_, index) => index !== line - 1);
      const left = survivors(damaged);
      expect(left).toHaveLength(entries.length);
      expect(others(left)).toEqual(others(entries.map(asStored)));
    }),
  );
});

it('a file that ends early has the entries before its end, and nothing else', () => {
  fc.assert(
    fc.property(several, fc.nat(), (entries, at) => {
      const file = fileOf(entries);
      const left = survivors(file.subarray(0, at % (file.length - 1)));
      const found = left.filter((each) => each !== undefined);
      expect(found).toEqual(entries.slice(0, found.length).map(asStored));
      expect(left.slice(found.length).length).toBeLessThan(2);
    }),
  );
});

it.each([
  ['nothing', undefined],
  ['an empty file', ''],
  ['zeros', '\0\0\0\0\n'],
  ['one line', '{"id":"a",\n'],
  ['a line in another encoding', '{"type":"entries","entries":[\n\u{fffd}'],
])('%s leaves nothing', (_, content) => {
  expect(survivors(content === undefined ? undefined : encode(content))).toEqual([undefined]);
});
