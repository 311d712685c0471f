import { decodeText } from '@utensil/core/files';
import type { TextFormat } from '@utensil/core/files';

/**
 * Encodes a new text like the existing file: with its encoding, byte order mark and line breaks, which models do not
 * see. A binary or missing file gets plain UTF-8.
 */
export function bytesLike(text: string, before: Uint8Array | undefined): Uint8Array {
  const known = before === undefined || before.length === 0 ? undefined : decodeText(before);
  if (known === undefined) return new TextEncoder().encode(text);
  const isCrlf = known.text.includes('\r\n') && !/(?<!\r)\n/.test(known.text);
  return encode(isCrlf && !text.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text, known.format);
}

function encode(text: string, { encoding, bom }: TextFormat): Uint8Array {
  const marked = bom && !text.startsWith('\ufeff') ? `\ufeff${text}` : text;
  if (encoding === 'utf-8') return new TextEncoder().encode(marked);
  const bytes = new Uint8Array(marked.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < marked.length; index++) {
    view.setUint16(index * 2, marked.charCodeAt(index), encoding === 'utf-16le');
  }
  return bytes;
}
