/** Maximum number of characters before the data: media types have few parameters. */
const mostBeforeData = 1_000;

/** Decodes a base64 data URL; undefined if it is not one, null if its base64 is invalid. */
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

/** Encodes bytes as a base64 data URL. */
export function toDataUrl(bytes: Uint8Array, mediaType: string): string {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte));
  return `data:${mediaType};base64,${btoa(characters.join(''))}`;
}

/** Length of the result of {@link toDataUrl}. */
export function dataUrlLength(size: number, mediaType: string): number {
  return `data:${mediaType};base64,`.length + Math.ceil(size / 3) * 4;
}
