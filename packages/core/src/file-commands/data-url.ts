/** So many characters may come before the data: types have a few parameters at the most. */
const mostBeforeData = 1_000;

/** The bytes of a base64 data URL; undefined where it is none, null where its base64 is broken. */
export function fromDataUrl(text: string): Uint8Array | undefined | null {
  const url = text.trim();
  const found = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w-]+=[^;,]*)*;base64,/i.exec(url.slice(0, mostBeforeData));
  if (found === null) return undefined;
  try {
    return Uint8Array.from(atob(url.slice(found[0].length)), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Bytes as a base64 data URL. */
export function toDataUrl(bytes: Uint8Array, mediaType: string): string {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte));
  return `data:${mediaType};base64,${btoa(characters.join(''))}`;
}

/** How long {@link toDataUrl} would be. */
export function dataUrlLength(size: number, mediaType: string): number {
  return `data:${mediaType};base64,`.length + Math.ceil(size / 3) * 4;
}
