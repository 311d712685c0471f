// Notes are read as if anybody could have changed them. A line with a checksum follows the JSON, because a flipped bit may
// leave it valid, with another meaning. Without that line only the shape of the value tells whether it is damaged.

/** A value as JSON with a checksum. */
export function encodeChecked(value: unknown): Uint8Array {
  const json = JSON.stringify(value);
  return new TextEncoder().encode(`${json}\n${checksumOf(json)}\n`);
}

/** The value of {@link encodeChecked}, or of plain JSON; undefined if it is damaged. */
export function decodeChecked(content: Uint8Array): unknown {
  const [json = '', checksum = '', ...rest] = new TextDecoder().decode(content).split('\n');
  if (checksum !== '' && (checksum !== checksumOf(json) || rest.join('') !== '')) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** FNV-1a of the code units: no change of a single one goes unseen. */
function checksumOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
