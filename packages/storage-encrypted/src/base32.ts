// Small letters and digits only: a disk that ignores case keeps every such name apart.
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Bytes as text of 32 different characters, five bits each. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let [buffer, bits] = [0, 0];
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet.charAt((buffer >> (bits - 5)) & 31);
  }
  return bits === 0 ? text : text + alphabet.charAt((buffer << (5 - bits)) & 31);
}

/** The bytes of such a text; undefined for a text that {@link toBase32} does not write. */
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
