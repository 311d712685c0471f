import type { Kit } from './kit.ts';

/** Defines TextEncoder, TextDecoder, atob and btoa. */
export function guestEncoding(kit: Kit): void {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const bytesType = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array };
  const { toBase64: write } = Uint8Array.prototype as unknown as { toBase64?: (this: Uint8Array) => string };
  const { fromBase64: read } = bytesType;
  const { assign } = Object; // a script may replace it
  let places: Uint8Array | undefined;

  const toBase64 = (bytes: Uint8Array): string => {
    if (write !== undefined) return write.call(bytes);
    const parts: string[] = [];
    for (let index = 0; index < bytes.length; index += 3) {
      const group = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
      const left = bytes.length - index;
      parts.push(
        alphabet.charAt(group >> 18) +
          alphabet.charAt((group >> 12) & 63) +
          (left > 1 ? alphabet.charAt((group >> 6) & 63) : '=') +
          (left > 2 ? alphabet.charAt(group & 63) : '='),
      );
    }
    return parts.join('');
  };

  const [none, blank] = [255, 254];

  /** Value of each character in the alphabet, or its special meaning. */
  const placesOf = (): Uint8Array => {
    const made = new Uint8Array(65_536).fill(none);
    for (let index = 0; index < 64; index++) made[alphabet.charCodeAt(index)] = index;
    for (const code of [9, 10, 12, 13, 32]) made[code] = blank;
    return made;
  };

  /** Undefined for invalid base64. */
  const fromBase64 = (text: string): Uint8Array | undefined => {
    places ??= placesOf();
    const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
    let [group, count, ends, at] = [0, 0, 0, 0];
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      const place = places[code] ?? none;
      if (place === blank) continue;
      if (code === 61) {
        ends++;
        continue;
      }
      if (place === none || ends > 0) return undefined;
      group = ((group << 6) | place) & 0xffffff;
      if (count++ % 4 > 0) bytes[at++] = (group >> (6 - 2 * ((count - 1) % 4))) & 0xff;
    }
    const isWhole = ends === 0 ? count % 4 !== 1 : ends <= 2 && (count + ends) % 4 === 0;
    return isWhole ? bytes.slice(0, at) : undefined;
  };

  /** Undefined for other values than a buffer or a view of one. */
  const bytesOf = (value: unknown): Uint8Array | undefined => {
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return undefined;
  };

  const invalidCharacter = (message: string): Error => assign(new Error(message), { name: 'InvalidCharacterError' });

  /** Base64 from the host, always valid. */
  kit.fromBase64 = (text) =>
    read === undefined ? (fromBase64(text) ?? new Uint8Array()) : read.call(Uint8Array, text);
  kit.toBase64 = toBase64;
  kit.contentOf = (value) => {
    if (typeof value === 'string') return { text: value };
    const bytes = bytesOf(value);
    return bytes && { base64: toBase64(bytes) };
  };

  class TextEncoder {
    readonly encoding = 'utf-8';
    encode(text: unknown = ''): Uint8Array {
      return kit.encode(String(text));
    }
    encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
      let [count, written] = [0, 0];
      for (const character of text) {
        const bytes = this.encode(character);
        if (written + bytes.length > target.length) break;
        target.set(bytes, written);
        count += character.length;
        written += bytes.length;
      }
      return { read: count, written };
    }
  }

  class TextDecoder {
    readonly encoding = 'utf-8';
    readonly fatal: boolean;
    readonly ignoreBOM: boolean;
    constructor(label: unknown = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
      if (!/^(?:utf-?8|unicode-1-1-utf-8)$/i.test(String(label).trim()))
        throw new RangeError('Only UTF-8 encoding is supported');
      this.fatal = Boolean(options.fatal);
      this.ignoreBOM = Boolean(options.ignoreBOM);
    }
    decode(data: unknown = new Uint8Array()): string {
      const bytes = bytesOf(data);
      if (bytes === undefined) throw new TypeError('The data to decode must be an ArrayBuffer or a view of one');
      const text = kit.decode(bytes, this);
      if (text === undefined) throw new TypeError('The encoded data was not valid UTF-8');
      return text;
    }
  }

  kit.define('TextEncoder', TextEncoder);
  kit.define('TextDecoder', TextDecoder);
  kit.define('btoa', (value: unknown) => {
    const text = String(value);
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 255) throw invalidCharacter('btoa takes characters up to U+00FF: encode text as UTF-8 first');
      bytes[index] = code;
    }
    return toBase64(bytes);
  });
  kit.define('atob', (value: unknown) => {
    const bytes = fromBase64(String(value));
    if (bytes === undefined) throw invalidCharacter('The string to be decoded is not correctly encoded.');
    const parts: string[] = [];
    for (let index = 0; index < bytes.length; index += 4096)
      parts.push(String.fromCharCode(...bytes.subarray(index, index + 4096)));
    return parts.join('');
  });
}
