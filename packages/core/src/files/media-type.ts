import { decodeText } from '../base/text-encoding.ts';

/**
 * Magic numbers as patterns, one character per byte. If possible, a pattern includes a byte that never occurs in text.
 */
const signatures: readonly (readonly [mediaType: string, start: RegExp])[] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['image/avif', /^\0.{3}ftypavi[fs]/s],
  ['image/heic', /^\0.{3}ftyphe(?:ic|ix|vc|vx)/s],
  ['image/heif', /^\0.{3}ftypm(?:if1|sf1)/s],
  ['image/bmp', /^BM.{4}\0{4}/s],
  ['image/x-icon', /^\0\0\x01\0[^\0]/],
  ['application/pdf', /^%PDF-/],
  ['application/zip', /^PK(?:\x03\x04|\x05\x06|\x07\x08)/],
  ['application/gzip', /^\x1f\x8b\x08/],
  ['application/wasm', /^\0asm/],
  ['application/vnd.sqlite3', /^SQLite format 3\0/],
  ['font/woff2', /^wOF2(?:\0\x01\0\0|OTTO|true)/],
  ['audio/mpeg', /^(?:ID3[\x02-\x04]\0|\xff[\xf2\xf3\xfa\xfb])/],
  ['audio/wav', /^RIFF.{4}WAVE/s],
  ['audio/ogg', /^OggS\0/],
  ['audio/mp4', /^\0.{3}ftypM4A /s],
  ['video/quicktime', /^\0.{3}ftypqt {2}/s],
  ['video/mp4', /^\0.{3}ftyp/s],
  ['video/webm', /^\x1aE\xdf\xa3.*\x42\x82.webm/s],
  ['video/matroska', /^\x1aE\xdf\xa3/],
];

/**
 * Detects the media type by magic number: common formats of images, audio, video, archives, databases, fonts, programs,
 * and PDF; `text/plain` for any text, SVG included; otherwise `application/octet-stream`.
 */
export function mediaTypeOf(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 64));
  const [known] = signatures.find(([, pattern]) => pattern.test(start)) ?? [];
  return known ?? (decodeText(bytes) === undefined ? 'application/octet-stream' : 'text/plain');
}
