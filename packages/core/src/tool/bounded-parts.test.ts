import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonSchema } from '../schema/json-schema.ts';
import type { ContentPart, TextPart } from '../model/message.ts';
import { answer } from '../call/to-result.ts';
import { outputLimitFor } from '../call/output-limit.ts';
import { boundParts } from './bounded-parts.ts';
import { defineTool } from './define.ts';
import { result } from './result.ts';

const text = (content: string): TextPart => ({ type: 'text', text: content });
const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
const readBack = 'call read_result with an offset.';

const textsOf = (parts: readonly ContentPart[]): readonly string[] =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [part.type]));

it('leaves an answer that fits unchanged', async () => {
  const parts = [text('12345'), image, text('67890')];
  expect(boundParts(parts, 10)).toBe(parts);
});

const link = { type: 'resource-link', uri: 'file:///a', name: 'a' } as const;
const audio = { type: 'audio', mediaType: 'audio/wav', data: 'AAAA' } as const;

it('leaves links and recordings unchanged, if all of it fits', async () => {
  const parts = [text('12345'), link, audio];
  expect(boundParts(parts, 100)).toBe(parts);
});

it('counts links as the text that they become, so that a thousand of them are no way around the limit', async () => {
  const bounded = boundParts([...Array.from({ length: 1_000 }, () => link), audio], 500);
  expect(bounded.every(({ type }) => type === 'text' || type === 'audio')).toBe(true);
  expect(textsOf(bounded).join('')).toMatch(
    /^\{"type":"resource-link","uri":"file:\/\/\/a".*of \d{5} characters left out/s,
  );
  const [described] = boundParts([{ ...link, description: 'x'.repeat(10_000) }], 500);
  expect(described).toMatchObject({ type: 'text', text: expect.stringContaining('"file:///a"') });
});

it('stores no recording that is too large for every API, and says that there was one', async () => {
  const large = { ...audio, data: 'A'.repeat(2 ** 25 + 4) };
  expect(boundParts([large, image], 500)).toEqual([
    { type: 'text', text: '{"type":"audio","mediaType":"audio/wav","data":"too large"}' },
    image,
  ]);
});

it('names no place in an output that the text was only made of', async () => {
  expect(textsOf(boundParts([text('0123456789'.repeat(10))], 20, { other: readBack }))).toEqual([
    '01234567890123\n[… 80 of 100 characters left out here. To read the output that this was made of, call read_result with an offset. …]\n456789',
  ]);
});

it('keeps the head and the tail, and says which characters are missing and how to read them', async () => {
  expect(textsOf(boundParts([text('0123456789'.repeat(10))], 20, readBack))).toEqual([
    '01234567890123\n[… 80 of 100 characters left out here, from 14 to 94: call read_result with an offset. …]\n456789',
  ]);
  expect(textsOf(boundParts([text('0123456789'.repeat(10))], 20))).toEqual([
    '01234567890123\n[… 80 of 100 characters left out here: ask for less at a time, or for a part …]\n456789',
  ]);
});

it('leaves one gap in the texts of several parts, and every image', async () => {
  const parts = [text('a'.repeat(10)), text('b'.repeat(10)), image, text('c'.repeat(10)), text('d'.repeat(10))];
  expect(textsOf(boundParts(parts, 20, readBack))).toEqual([
    'a'.repeat(10),
    'bbbb\n[… 20 of 40 characters left out here, from 14 to 34: call read_result with an offset. …]\n',
    'image',
    'dddddd',
  ]);
});

const bytes = Uint8Array.from({ length: 3_000 }, (_, index) => (index * 7 + index ** 2) % 251);
const base64 = Buffer.from(bytes).toString('base64');

it('names data by type, size and hash, rather than to cut it', async () => {
  const png = `{"image":"data:image/png;base64,${base64}"}`;
  const name = /^{"image":"\[image\/png, 3000 bytes, sha256 [0-9a-f]{12}, not shown\]"}$/;
  expect(textsOf(boundParts([text(png)], 100))[0]).toMatch(name);
  expect(textsOf(boundParts([text(png)], 10_000))[0]).toBe(png);
  expect(textsOf(boundParts([text(base64)], 100))[0]).toMatch(/^\[base64 data, 3000 bytes, sha256 \w+, not shown\]$/);
  expect(textsOf(boundParts([text('ab'.repeat(1_000))], 10))[0]).toContain('1990 of 2000 characters');
});

it('failed with millions of letters in a row, which take a frame of the stack each', async () => {
  const letters = 'aB3'.repeat(4_000_000);
  const whole = `data:image/png;base64,${letters} and ${letters}.`;
  expect(textsOf(boundParts([text(whole)], 1_000))[0]?.replaceAll(/sha256 \w+/g, 'sha256')).toBe(
    '[image/png, 9000000 bytes, sha256, not shown] and [base64 data, 9000000 bytes, sha256, not shown].',
  );
  const plain = boundParts([text('x'.repeat(12_000_000))], 10);
  expect(textsOf(plain)[0]).toContain('11999990 of 12000000 characters');
  const parameters = `data:${';a=b'.repeat(3_000_000)}`;
  expect(textsOf(boundParts([text(parameters)], 10))[0]).toContain('characters');
});

it("counts missing characters in the tool's answer, before data is replaced by names", async () => {
  const long = `${'a'.repeat(50)} ${base64} ${'b'.repeat(98)}`;
  const [shown = ''] = textsOf(boundParts([text(long)], 80, readBack));
  expect(shown).toMatch(/^a{50} \n\[… 4075 of 4150 characters left out here, from 51 to 4126: .* …\]\nb{24}$/);
});

it('makes a truncated text another version of its resource', async () => {
  const part = { ...text('x'.repeat(100)), resource: { key: 'a', etag: 'v1' } };
  const versions = await Promise.all(
    [100, 50, 50, 40].map(async (limit) =>
      boundParts([part], limit).map((each) => 'resource' in each && each.resource),
    ),
  );
  expect(versions[0]).toEqual([{ key: 'a', etag: 'v1' }]);
  expect(versions[1]).toEqual(versions[2]);
  expect(new Set(versions.map((version) => JSON.stringify(version))).size).toBe(3);
});

it('never shows more than the limit plus one note, splits no character, and says what is missing', async () => {
  const anyText = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'Z', '7', '\n', 'é', '😀'), maxLength: 60 }),
    fc.constant(`data:image/png;base64,${base64.slice(0, 400)}`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyText, { maxLength: 4 }), fc.integer({ min: 0, max: 120 }), async (texts, limit) => {
      const shown = textsOf(boundParts(texts.map(text), limit, readBack)).join('');
      const whole = texts.join('');
      const [note = '', , , from = '', to = ''] =
        /\n\[… (\d+) of (\d+) characters left out here, from (\d+) to (\d+): [^…]* …\]\n/.exec(shown) ?? [];
      expect(shown.length - note.length).toBeLessThanOrEqual(limit + 1);
      expect(/\p{Cs}/u.test(shown)).toBe(false);
      const [head = '', tail = ''] = note === '' ? [] : shown.split(note);
      const isNamed = shown.includes('sha256');
      expect(note === '' || isNamed || whole === head + whole.slice(Number(from), Number(to)) + tail).toBe(true);
    }),
    { numRuns: 40 },
  );
});

it('[D0-13] bounds what a tool returns by its own limit, else by that of the run, else by a share of the window', async () => {
  const long = 'x'.repeat(200_000);
  const tool = defineTool({ name: 't', description: 'd', input: jsonSchema({ type: 'object' }), effects: 'read' });
  const length = async (returned: unknown, limits: Parameters<typeof answer>[2], own = {}): Promise<number> => {
    const { modelParts, output } = await answer({ ...tool, ...own }, returned, limits);
    expect(JSON.stringify(output)).toContain(long);
    return textsOf(modelParts).join('').replaceAll(/[^x]/g, '').length;
  };
  expect(await length(long, {})).toBe(100_000);
  expect(await length(long, { contextWindow: 8_000 })).toBe(8_000);
  expect(await length(long, { outputLimit: 500, contextWindow: 8_000 })).toBe(500);
  expect(await length(long, { outputLimit: 500 }, { outputLimit: 50 })).toBe(50);
  expect(await length(result({ output: long, parts: [text(long), image, text(long)] }), { outputLimit: 500 })).toBe(
    500,
  );
  expect(await length(result({ output: long, isError: true }), { outputLimit: 500 })).toBe(500);
  expect([1_000, 8_000, 1_000_000].map(outputLimitFor)).toEqual([2_000, 8_000, 100_000]);
});
