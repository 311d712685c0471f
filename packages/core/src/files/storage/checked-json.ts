// Notes are read as untrusted. The JSON is followed by a line with its checksum, because a flipped bit may leave it
// valid with another meaning. Without that line, only the shape of the value reveals damage.

/** Encodes a value as JSON with a checksum. */
export function encodeChecked(value: unknown): Uint8Array {
  const json = JSON.stringify(value);
  return new TextEncoder().encode(`${json}\n${checksumOf(json)}\n`);
}

/** Decodes the output of {@link encodeChecked}, or plain JSON; undefined if it is damaged. */
export function decodeChecked(content: Uint8Array): unknown {
  const [json = '', checksum = '', ...rest] = new TextDecoder().decode(content).split('\n');
  if (checksum !== '' && (checksum !== checksumOf(json) || rest.join('') !== '')) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** FNV-1a over code units: detects every change of a single unit. */
function checksumOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
