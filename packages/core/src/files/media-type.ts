import { decodeText } from './text.ts';

const signatures: readonly { readonly mediaType: string; readonly pattern: RegExp }[] = [
  { mediaType: 'image/jpeg', pattern: /^\u00ff\u00d8\u00ff/ },
  { mediaType: 'image/png', pattern: /^\u0089PNG\r\n\u001a\n/ },
  { mediaType: 'image/gif', pattern: /^GIF8[79]a/ },
  { mediaType: 'image/webp', pattern: /^RIFF.{4}WEBP/s },
  { mediaType: 'application/pdf', pattern: /^%PDF-/ },
  { mediaType: 'application/zip', pattern: /^PK(?:\u0003\u0004|\u0005\u0006|\u0007\u0008)/ },
];

/**
 * What some bytes are, judged by how they begin: JPEG, PNG, GIF, WebP, PDF, ZIP; `text/plain` where all of it is text;
 * else `application/octet-stream`.
 */
export function mediaTypeOf(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  const known = signatures.find(({ pattern }) => pattern.test(start));
  if (known !== undefined) return known.mediaType;
  return decodeText(bytes) === undefined ? 'application/octet-stream' : 'text/plain';
}
