/** Text bytes as UTF-8 without a byte order mark; the same array if they already are. */
export function utf8Of(bytes: Uint8Array): Uint8Array {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return bytes.subarray(3);
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : '';
  return encoding === '' ? bytes : new TextEncoder().encode(new TextDecoder(encoding).decode(bytes));
}
