// Lowercase letters and digits only, so that names stay distinct on a case-insensitive disk.
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Encodes bytes as base32, five bits per character. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let [buffer, bits] = [0, 0];
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet.charAt((buffer >> (bits - 5)) & 31);
  }
  return bits === 0 ? text : text + alphabet.charAt((buffer << (5 - bits)) & 31);
}

/** Decodes base32; undefined for a text that {@link toBase32} does not produce. */
export function fromBase32(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let [buffer, bits, length] = [0, 0, 0];
  for (const character of text) {
    const value = alphabet.indexOf(character);
    if (value === -1) return undefined;
    buffer = ((buffer << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = (buffer >> bits) & 0xff;
  }
  return toBase32(bytes) === text ? bytes : undefined;
}
