/** Names that no tag can have are written with percent signs. */
export function decodeKey(key: string): string {
  if (!key.includes('%')) return key;
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** A parameter's name such that a tag can have it. */
export function encodeKey(key: string): string {
  if (/^[\w.-]+$/.test(key)) return key;
  return encodeURIComponent(key.toWellFormed()).replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
}
