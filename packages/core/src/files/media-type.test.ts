import { describe, expect, it } from 'vitest';
import { mediaTypeOf } from './media-type.ts';

const bytesOf = (latin1: string): Uint8Array => Uint8Array.from(Buffer.from(latin1, 'latin1'));

describe('mediaTypeOf', () => {
  it.each([
    ['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['image/gif', 'GIF89a\x01\0\x01\0'],
    ['image/webp', 'RIFF\x24\n\0\0WEBPVP8 '],
    ['image/avif', '\0\0\0\x1cftypavif\0\0\0\0'],
    ['image/heic', '\0\0\0\x18ftypheic\0\0\0\0'],
    ['image/heif', '\0\0\0\x18ftypmif1\0\0\0\0'],
    ['image/bmp', 'BM\x3a\n\0\0\0\0\0\0\x36\0'],
    ['image/x-icon', '\0\0\x01\0\x01\0\x10\x10'],
    ['application/pdf', '%PDF-1.7\n'],
    ['application/zip', 'PK\x03\x04\x14\0'],
    ['application/zip', 'PK\x05\x06\0\0'],
    ['application/gzip', '\x1f\x8b\x08\0'],
    ['application/wasm', '\0asm\x01\0\0\0'],
    ['application/vnd.sqlite3', 'SQLite format 3\0\x10\0'],
    ['font/woff2', 'wOF2\0\x01\0\0'],
    ['audio/mpeg', 'ID3\x04\0\0\0\0\0\x21'],
    ['audio/mpeg', '\xff\xfb\x90\x64'],
    ['audio/wav', 'RIFF\x24\n\0\0WAVEfmt '],
    ['audio/ogg', 'OggS\0\x02\0\0'],
    ['audio/mp4', '\0\0\0\x20ftypM4A \0\0\0\0'],
    ['video/quicktime', '\0\0\0\x14ftypqt  \0\0\0\0'],
    ['video/mp4', '\0\0\0\x20ftypisom\0\0\x02\0'],
    ['video/webm', '\x1aE\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x84webm'],
    ['video/matroska', '\x1aE\xdf\xa3\xa3\x42\x86\x81\x01\x42\x82\x88matroska'],
    ['application/octet-stream', '\0\x01'],
    ['application/octet-stream', '\xe9t\xe9'],
    ['application/octet-stream', 'text with \0 in it'],
  ])('is %s by how it begins: %j', (mediaType, start) => {
    expect(mediaTypeOf(bytesOf(start))).toBe(mediaType);
  });

  it.each([
    '',
    'BMW is a maker of cars.',
    'ID3 tags are at the beginning.',
    'OggS is how pages begin.',
    'RIFF is a container, and WAVE is in it',
    'wOF2 is a font, and SQLite format 3 is not',
    'PK is an abbreviation',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '\xef\xbb\xbfmarked',
    '\xff\xfea\0',
  ])('leaves text as text, whatever words it begins with: %j', (text) => {
    expect(mediaTypeOf(bytesOf(text))).toBe('text/plain');
  });
});
