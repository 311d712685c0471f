import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { fromDataUrl, toDataUrl } from './data-url.ts';
import { commandInput, commandNames } from './input.ts';
import { showLines, splitLines } from './lines.ts';
import { shortSize } from './listing.ts';
import { isInside, placeAnywhere, placeBelow } from './place.ts';
import { fill } from './texts.ts';

function staysInside(path: string): boolean {
  try {
    return `${placeBelow('/memories', path) ?? '/memories'}/`.startsWith('/memories/');
  } catch {
    return true; // refused by the rules of all paths
  }
}

describe('placeBelow', () => {
  it.each([
    ['/memories/x', '/memories/x'],
    ['/x', '/memories/x'],
    ['x', '/memories/x'],
    [' x ', '/memories/x'],
    ['memories/x', '/memories/x'],
    ['//memories//x/', '/memories/x'],
    ['/memories/a/../x', '/memories/x'],
    ['/', '/memories'],
    ['/memories/', '/memories'],
    ['/memories/.', '/memories'],
    ['/memories-evil/x', '/memories/memories-evil/x'],
    ['/memories/..', undefined],
    ['/memories/../memories/x', undefined],
    ['../x', undefined],
    ['a/../../x', undefined],
    ['%2E%2E/x', undefined],
    ['a%2fb', undefined],
    ['..\\x', undefined],
  ])('takes %j for %j', (path, place) => {
    expect(placeBelow('/memories', path)).toBe(place);
  });

  it('never leads out, whatever it is given', () => {
    const path = fc.array(fc.oneof(fc.constantFrom('..', '.', '', 'memories', 'a'), fc.string()), { maxLength: 12 });
    fc.assert(
      fc.property(path, (names) => {
        expect(staysInside(names.join('/'))).toBe(true);
      }),
    );
  });
});

it('takes a path without a slash from the root', () => {
  expect(['x', '/x', '/../x', '.', '/'].map(placeAnywhere)).toEqual(['/x', '/x', '/x', '/', '/']);
});

it.each([
  ['/memories', true],
  ['/memories/a', true],
  ['/Memories/a', true],
  ['/memories-evil', false],
  ['/a/memories', false],
  ['/', false],
])('says of %s that it is in the memory: %s', (path, inside) => {
  expect(isInside('/memories', path)).toBe(inside);
});

describe('showLines', () => {
  const all = { numbered: false, limit: 10 };

  it.each([
    ['as many as fit', ['1234', '12345'], { first: 1, last: 2 }, { text: '1234\n12345', last: 2 }],
    ['no part of a line', ['1234', '123456'], { first: 1, last: 2 }, { text: '1234', last: 1 }],
    ['from the middle', ['a', 'b', 'c'], { first: 2, last: 2 }, { text: 'b', last: 2 }],
    [
      'the beginning of a line too long for all',
      ['12345678901', 'x'],
      { first: 1, last: 2 },
      { text: '1234567890', last: 1, cutTo: 10 },
    ],
    ['no half of a surrogate pair', ['123456789🙂'], { first: 1, last: 1 }, { text: '123456789', last: 1, cutTo: 9 }],
    ['nothing where there is nothing', [], { first: 1, last: 0 }, { text: '', last: 0 }],
  ])('shows %s', (_, lines, range, shown) => {
    expect(showLines(lines, { ...all, ...range })).toEqual(shown);
  });

  it('numbers lines in six columns', () => {
    expect(showLines(['a', 'b'], { first: 1, last: 2, numbered: true, limit: 100 }).text).toBe('     1\ta\n     2\tb');
  });
});

it('counts no line after the last line break', () => {
  expect(['', '\n', 'a', 'a\n', 'a\n\n', 'a\nb'].map((text) => splitLines(text).length)).toEqual([0, 1, 1, 1, 2, 2]);
});

it.each([
  [0, '0'],
  [1023, '1023'],
  [1024, '1.0K'],
  [1229, '1.2K'],
  [1048575, '1.0M'],
  [3565158, '3.4M'],
  [2 * 2 ** 40, '2.0T'],
  [5000 * 2 ** 40, '5000.0T'],
])('shortens %d bytes to %s', (bytes, short) => {
  expect(shortSize(bytes)).toBe(short);
});

describe('data URLs', () => {
  it('come back as the bytes that they were made of', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        expect(fromDataUrl(toDataUrl(bytes, 'image/png'))).toEqual(new Uint8Array(bytes));
      }),
    );
  });

  it('are told from text, and from broken ones', () => {
    expect(['data: 5', 'data:image/png,abc', ' x data:a/b;base64,AAAA'].map(fromDataUrl)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(fromDataUrl(`data:a/b${';a='.repeat(20_000_000)}`)).toBeUndefined();
    expect(fromDataUrl('data:image/png;base64,A*')).toBeNull();
    expect(fromDataUrl('data:text/plain;charset=utf-8;base64,YQ==')).toEqual(Uint8Array.of(97));
  });
});

it('fills names in braces once, and literally', () => {
  expect(fill('{a} {b} {c}', { a: '{b} $&', b: 2 })).toBe('{b} $& 2 {c}');
});

describe('commandInput', () => {
  const schema = commandInput(
    z.toJSONSchema(z.object({ command: z.enum(commandNames), path: z.optional(z.string()) })),
  );
  const validate = async (value: unknown) => schema['~standard'].validate(value);

  it.each([
    [
      { command: 'view', path: 'a' },
      { command: 'view', path: 'a' },
    ],
    [{ command: 'undo', path: null }, { command: 'undo' }],
    [{ command: null }, { command: '' }],
    [{}, { command: '' }],
  ])('lets %j through', async (value, expected) => {
    expect(await validate(value)).toEqual({ value: expected });
  });

  it('refuses what has the wrong type', async () => {
    expect((await validate({ command: 'view', path: 5 })).issues).toMatchObject([{ path: ['path'] }]);
    expect((await validate('view')).issues).toHaveLength(1);
  });

  it('tells the model the commands', () => {
    expect(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })).toMatchObject({
      properties: { command: { enum: commandNames } },
      required: ['command'],
    });
  });
});
