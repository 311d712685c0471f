/** Bytes encoded at a time; a multiple of three. */
const atOnce = 3 * 8192;

/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += atOnce) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + atOnce))));
  }
  return pieces.join('');
}
