import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mediaTypeOf } from './media-type.ts';
import { decodeText } from '../base/text-encoding.ts';
import { encodeText, equalBytes } from './text.ts';
import type { TextFormat } from '../base/text-encoding.ts';

const formats: readonly TextFormat[] = [
  { encoding: 'utf-8', bom: false },
  { encoding: 'utf-8', bom: true },
  { encoding: 'utf-16le', bom: true },
  { encoding: 'utf-16be', bom: true },
];
const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

describe('decodeText', () => {
  it.each([
    ['nothing', [], '', 'utf-8', false],
    ['UTF-8', [0xc3, 0xa9, 0x0d, 0x0a], 'é\r\n', 'utf-8', false],
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x61], 'a', 'utf-8', true],
    ['UTF-8 with two marks', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], '\ufeff', 'utf-8', true],
    ['UTF-16LE', [0xff, 0xfe, 0x3d, 0xd8, 0x00, 0xde], '😀', 'utf-16le', true],
    ['UTF-16BE', [0xfe, 0xff, 0x00, 0x61], 'a', 'utf-16be', true],
  ])('reads %s', (_, bytes, text, encoding, bom) => {
    expect(decodeText(Uint8Array.from(bytes))).toEqual({ text, format: { encoding, bom } });
  });

  it.each([
    ['Latin-1', [0xe9]],
    ['an overlong form', [0xc0, 0x80]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['a NUL', [0x61, 0x00]],
    ['UTF-16 without a mark', [0x61, 0x00, 0x62, 0x00]],
    ['half of a UTF-16 unit', [0xff, 0xfe, 0x61]],
    ['half of a surrogate pair', [0xff, 0xfe, 0x3d, 0xd8]],
    ['UTF-32', [0xff, 0xfe, 0x00, 0x00, 0x61, 0x00, 0x00, 0x00]],
  ])('does not read %s', (_, bytes) => {
    expect(decodeText(Uint8Array.from(bytes))).toBeUndefined();
  });

  it('gives back every byte of what it read', () => {
    const byte = fc.oneof(fc.nat(255), fc.constantFrom(0xef, 0xbb, 0xbf, 0xff, 0xfe, 0x61, 0x0a));
    const property = fc.property(fc.uint8Array(), fc.array(byte), (anything, likely) => {
      for (const bytes of [anything, Uint8Array.from(likely)]) {
        const decoded = decodeText(bytes);
        expect(decoded === undefined ? bytes : encodeText(decoded.text, decoded.format, '/a')).toEqual(bytes);
      }
    });
    expect(() => fc.assert(property, { numRuns: 1000 })).not.toThrow();
  });

  it('reads every text that can be written, in every format', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0') && !each.startsWith('\ufeff'));
    const property = fc.property(text, fc.constantFrom(...formats), (written, format) => {
      expect(decodeText(encodeText(written, format, '/a'))).toEqual({ text: written, format });
    });
    expect(() => fc.assert(property)).not.toThrow();
  });
});

describe('encodeText', () => {
  it.each(['\ud800', 'a\udc00b', '\udc00\ud800'])('refuses the lone surrogate in %j', (text) => {
    for (const format of formats) {
      expect(() => encodeText(text, format, '/a')).toThrow(expect.objectContaining({ code: 'EILSEQ', path: '/a' }));
    }
  });
});

describe('equalBytes', () => {
  it.each([
    [[], [], true],
    [[1, 2], [1, 2], true],
    [[1, 2], [1, 3], false],
    [[1], [1, 2], false],
  ])('says of %j and %j: %s', (left, right, expected) => {
    expect(equalBytes(Uint8Array.from(left), Uint8Array.from(right))).toBe(expected);
  });
});

describe('mediaTypeOf', () => {
  it.each([
    ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
    ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
    ['image/gif', ascii('GIF89a')],
    ['image/gif', ascii('GIF87a')],
    ['image/webp', [...ascii('RIFF'), 0x24, 0, 0x0a, 0, ...ascii('WEBPVP8 ')]],
    ['application/pdf', ascii('%PDF-1.7')],
    ['application/zip', [...ascii('PK'), 3, 4]],
    ['application/zip', [...ascii('PK'), 5, 6]],
    ['text/plain', ascii('PK in a text')],
    ['text/plain', ascii('RIFF in a WEBP')],
    ['text/plain', []],
    ['application/octet-stream', [0, 1, 2]],
    ['application/octet-stream', [0xff, 0xd8, 0x00]],
  ])('is %s for %j', (mediaType, bytes) => {
    expect(mediaTypeOf(Uint8Array.from(bytes))).toBe(mediaType);
  });
});
