/** Small enough for one call with this many arguments. */
const chunk = 8192;

/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += chunk) {
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + chunk)));
  }
  return btoa(pieces.join(''));
}

/** Decodes base64. Undefined unless the text is exactly the output of {@link toBase64}. */
export function fromBase64(base64: string): Uint8Array | undefined {
  try {
    const binary = atob(base64);
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
    return btoa(binary) === base64 ? bytes : undefined;
  } catch {
    return undefined;
  }
}
