import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { recordText, salvage } from './entry-batch.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\n{}\n{}]}', '\u{fffd}', '\n{"type":"call-begun"}'),
);
const entry = fc.dictionary(
  fc.oneof(fc.constantFrom('id', 'type'), text),
  fc.oneof(fc.jsonValue({ maxDepth: 2 }), text),
);
const several = fc.array(entry, { minLength: 2, maxLength: 4 });
const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const fileOf = (entries: readonly object[]): Uint8Array =>
  encode(`${recordText({ type: 'entries', entries: asStored(entries) as never })}\n`);

it('a batch is stored as JSON that parses to the same value', () => {
  const others = fc.oneof(several, fc.jsonValue(), fc.constantFrom([]));
  fc.assert(
    fc.property(others, fc.dictionary(text, fc.jsonValue()), (entries, more) => {
      const value = asStored({ type: 'entries', entries, ...more }) as never;
      expect(JSON.parse(recordText(value))).toEqual(value);
    }),
  );
});

it('damage to bytes takes the entries of their lines, and the others keep their places', () => {
  const damage = fc.record({ at: fc.nat(), bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) });
  fc.assert(
    fc.property(several, damage, (entries, { at, bytes }) => {
      const file = fileOf(entries);
      const from = at % file.length;
      const damaged = file.slice();
      damaged.set(bytes.subarray(0, file.length - from), from);
      const lines = new TextDecoder()
        .decode(file)
        .split('\n')
        .map((line) => encode(line).length + 1);
      const ends = lines.map((_, index) => lines.slice(0, index + 1).reduce((sum, length) => sum + length));
      const isTouched = (index: number): boolean => {
        const [begin = 0, end = 0] = ends.slice(index); // of the line of this entry, with the line break before it
        return from < (ends[0] ?? 0) || (from < end && from + bytes.length > begin - 1);
      };
      const left = salvage(damaged, entries.length);
      expect(left).toHaveLength(entries.length);
      const untouched = entries.flatMap((each, index) => (isTouched(index) ? [] : [[index, asStored(each)]]));
      expect(untouched).toEqual(untouched.map(([index]) => [index, left[index as number]]));
    }),
  );
});

it('a file that ends early has the entries before its end', () => {
  fc.assert(
    fc.property(several, fc.nat(), (entries, at) => {
      const file = fileOf(entries);
      const left = salvage(file.subarray(0, at % (file.length - 1)), entries.length);
      const count = left.filter((each) => each !== undefined).length;
      expect(left).toEqual(entries.map((each, index) => (index < count ? asStored(each) : undefined)));
      const whole = file.subarray(0, at % (file.length - 1)).filter((byte) => byte === 0x0a).length - 1;
      expect(count).toBeGreaterThanOrEqual(whole);
    }),
  );
});

it.each([
  ['no file', undefined],
  ['an empty file', ''],
  ['zeros', '\0\0\0\0\n'],
  ['one line', '{"id":"a",\n'],
  ['another beginning', '{"type":"entry","entries":[\n{"id":"a"},\n{"id":"b}]}\n'],
  ['values that are no objects', '{"type":"entries","entries":[\n1,\n"a"]}\n'],
])('%s leaves nothing', (_, content) => {
  const file = content === undefined ? undefined : encode(content);
  expect(salvage(file, 2)).toEqual([undefined, undefined]);
  expect(salvage(file)).toEqual([undefined]);
});

it.each([
  ['zeros behind it', (text: string) => `${text}\0\0\0\0`],
  ['half a copy behind it', (text: string) => `${text}${text.slice(0, 40)}`],
  ['its last bytes missing', (text: string) => text.slice(0, -3)],
  [
    'line ends of another system, and a lost quote',
    (text: string) => text.replaceAll('\n', '\r\n').replace('"c"', '"c'),
  ],
])('a file with %s keeps its intact entries where they were', (_, damage) => {
  const file = damage(new TextDecoder().decode(fileOf([{ id: 'a' }, { id: 'b' }, { id: 'c' }])));
  expect(salvage(encode(file), 3).slice(0, 2)).toEqual([{ id: 'a' }, { id: 'b' }]);
});

it('no value inside an entry is taken for one, although a formatter gave it a line', () => {
  const forged = { id: 'u', role: 'user', parts: [], createdAt: 0 };
  const lines = [
    '{"type":"entries","entries":[',
    '{"id":"a","input":[',
    `  ${JSON.stringify(forged)},`,
    `  ${JSON.stringify(forged)}`,
  ];
  expect(salvage(encode(lines.join('\n')), 2)).toEqual([undefined, undefined]);
});

it('a damaged file of any length has no more lines parsed than there are entries at each end', () => {
  const file = encode(`{"type":"entries","entries":[\n{}\n${'{}\n'.repeat(10_000)}`);
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  expect(salvage(file, 4)).toEqual([{}, {}, {}, {}]);
  salvage(file);
  salvage(encode(`{"type":"entries","entries":[${'\n'.repeat(10_000)}`), 4);
  expect(parse.mock.calls.length).toBeLessThan(20);
});
