/**
 * An id of nine letters and digits, the only form that Mistral accepts: unchanged if it has that form, otherwise a
 * hash.
 */
export function shortId(id: string): string {
  return /^[A-Za-z0-9]{9}$/.test(id) ? id : `${hashOf(id, 0x811c9dc5)}${hashOf(id, 0x9747b28c)}`.slice(-9);
}

/** FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/, in seven letters and digits. */
function hashOf(text: string, start: number): string {
  let hash = start;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, '0');
}
