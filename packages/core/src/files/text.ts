import { UtensilError } from '../base/errors.ts';
import { decodeText, encoder, marks } from '../base/text-encoding.ts';
import type { DecodedText, TextFormat } from '../base/text-encoding.ts';
import { fileError, quotePath } from './file-error.ts';

/** Like {@link decodeText}, for content that must be text. Throws `binary_file`. */
export function decodeFile(bytes: Uint8Array, path: string): DecodedText {
  const decoded = decodeText(bytes);
  if (decoded !== undefined) return decoded;
  const hint = 'It is neither UTF-8 text nor UTF-16 text with a byte order mark: read or write it as bytes.';
  throw new UtensilError('binary_file', `binary_file: not a text file, ${quotePath(path)}. ${hint}`, { path });
}

/** Encodes a text, byte for byte as {@link decodeText} read it. Throws `EILSEQ` for a lone surrogate. */
export function encodeText(text: string, format: TextFormat, path: string): Uint8Array {
  const mark = format.bom ? marks.find((each) => each.format.encoding === format.encoding) : undefined;
  const body = encodeBody(text, format, path);
  return mark === undefined ? body : concatBytes(Uint8Array.from(mark.bytes), body);
}

/** Like {@link encodeText}, without a byte order mark, for text appended to existing text. */
export function encodeBody(text: string, { encoding }: TextFormat, path: string): Uint8Array {
  if (/\p{Cs}/u.test(text)) throw fileError('EILSEQ', path, { hint: 'The text contains half of a surrogate pair.' });
  return encoding === 'utf-8' ? encoder.encode(text) : encodeUtf16(text, encoding === 'utf-16le');
}

function encodeUtf16(text: string, littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index++) view.setUint16(index * 2, text.charCodeAt(index), littleEndian);
  return bytes;
}

/** Concatenates two contents. */
export function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** True if two contents are equal. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}
