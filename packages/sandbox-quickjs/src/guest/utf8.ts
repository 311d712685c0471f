import type { Kit } from './kit.ts';

/**
 * Defines UTF-8 conversion by the host, in small chunks, because the memory for a conversion is not counted by the
 * guest's limit.
 */
export function guestUtf8(kit: Kit): void {
  const { apply } = Reflect;
  const { slice } = String.prototype;
  const { set, subarray } = Uint8Array.prototype;
  /** Size of a chunk, in UTF-16 code units or bytes. */
  const stretch = 65_536;

  const isBetween = (value: number | undefined, low: number, high: number): boolean =>
    value !== undefined && value >= low && value <= high;

  /** Last position, up to the given one, at which a text can be split. */
  const cutText = (text: string, at: number): number =>
    at < text.length && isBetween(text.charCodeAt(at), 0xdc00, 0xdfff) && at > 1 ? at - 1 : at;

  /** The same for bytes: before the first byte of a character. If there is none, the input is malformed anyway. */
  const cutBytes = (bytes: Uint8Array, at: number): number => {
    for (let back = 0; back <= 3; back++) if (!isBetween(bytes[at - back], 0x80, 0xbf)) return at - back;
    return at;
  };

  const encodePart = (text: string): Uint8Array => kit.fromBase64(String(kit.ask('encode', text)));

  kit.encode = (text) => {
    if (text.length <= stretch) return encodePart(text);
    let bytes = new Uint8Array(text.length + stretch * 3);
    let length = 0;
    for (let at = 0; at < text.length;) {
      const end = cutText(text, Math.min(at + stretch, text.length));
      const part = encodePart(apply(slice, text, [at, end]));
      if (length + part.length > bytes.length) {
        const larger = new Uint8Array(length + part.length + (text.length - end) * 3);
        apply(set, larger, [bytes]);
        bytes = larger;
      }
      apply(set, bytes, [part, length]);
      length += part.length;
      at = end;
    }
    return bytes.slice(0, length);
  };

  kit.decode = (bytes, { fatal = false, ignoreBOM = false } = {}) => {
    let text = '';
    for (let at = 0; at === 0 || at < bytes.length;) {
      const end = at + stretch < bytes.length ? cutBytes(bytes, at + stretch) : bytes.length;
      const base64 = kit.toBase64(apply(subarray, bytes, [at, end]));
      const part = kit.ask('decode', { base64, fatal, ignoreBOM: ignoreBOM || at > 0 });
      if (typeof part !== 'string') return undefined;
      text += part;
      if (bytes.length === 0) break;
      at = end;
    }
    return text;
  };
}
