import type { Kit } from './kit.ts';

/** TextEncoder, TextDecoder, atob and btoa. */
export function guestEncoding(kit: Kit): void {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const places = new Map([...alphabet].map((character, index) => [character.charCodeAt(0), index]));

  const encode = (text: string): Uint8Array => {
    const bytes = new Uint8Array(text.length * 3);
    let length = 0;
    for (const character of text) {
      const read = character.codePointAt(0) ?? 0;
      const point = read >= 0xd800 && read <= 0xdfff ? 0xfffd : read;
      if (point < 0x80) bytes[length++] = point;
      else if (point < 0x800) {
        bytes[length++] = 0xc0 | (point >> 6);
        bytes[length++] = 0x80 | (point & 0x3f);
      } else if (point < 0x10000) {
        bytes[length++] = 0xe0 | (point >> 12);
        bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
        bytes[length++] = 0x80 | (point & 0x3f);
      } else {
        bytes[length++] = 0xf0 | (point >> 18);
        bytes[length++] = 0x80 | ((point >> 12) & 0x3f);
        bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
        bytes[length++] = 0x80 | (point & 0x3f);
      }
    }
    return bytes.slice(0, length);
  };

  /** The lowest and highest second byte, and how many bytes follow; undefined for what begins no character. */
  const leads = (byte: number): readonly [least: number, most: number, count: number] | undefined => {
    if (byte >= 0xc2 && byte <= 0xdf) return [0x80, 0xbf, 1];
    if (byte >= 0xe0 && byte <= 0xef) return [byte === 0xe0 ? 0xa0 : 0x80, byte === 0xed ? 0x9f : 0xbf, 2];
    if (byte >= 0xf0 && byte <= 0xf4) return [byte === 0xf0 ? 0x90 : 0x80, byte === 0xf4 ? 0x8f : 0xbf, 3];
    return undefined;
  };

  const decode = (bytes: Uint8Array, isFatal: boolean): string => {
    const parts: string[] = [];
    let points: number[] = [];
    const malformed = (): void => {
      if (isFatal) throw new TypeError('The encoded data was not valid UTF-8');
      points.push(0xfffd);
    };
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] ?? 0;
      const lead = byte < 0x80 ? undefined : leads(byte);
      if (byte < 0x80) points.push(byte);
      else if (lead === undefined) malformed();
      else {
        let [least, most, left] = lead;
        let point = byte & (0x3f >> left);
        for (; left > 0; left--) {
          const next = bytes[index + 1] ?? 0;
          if (next < least || next > most) break;
          point = (point << 6) | (next & 0x3f);
          [least, most] = [0x80, 0xbf];
          index++;
        }
        if (left > 0) malformed();
        else points.push(point);
      }
      if (points.length < 4096) continue;
      parts.push(String.fromCodePoint(...points));
      points = [];
    }
    return parts.join('') + String.fromCodePoint(...points);
  };

  const viewOf = (value: unknown): Uint8Array => {
    if (value === undefined) return new Uint8Array();
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    throw new TypeError('The data to decode must be an ArrayBuffer or a view of one');
  };

  const toBase64 = (bytes: Uint8Array): string => {
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

  /** Undefined where it is no base64. */
  const fromBase64 = (text: string): Uint8Array | undefined => {
    const packed = text.replace(/[\t\n\f\r ]/g, '');
    const body = packed.length % 4 === 0 ? packed.replace(/==?$/, '') : packed;
    if (body.length % 4 === 1) return undefined;
    const bytes = new Uint8Array(Math.floor((body.length * 3) / 4));
    let [group, bits, length] = [0, 0, 0];
    for (let index = 0; index < body.length; index++) {
      const place = places.get(body.charCodeAt(index));
      if (place === undefined) return undefined;
      group = ((group << 6) | place) & 0xffffff;
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      bytes[length++] = (group >> bits) & 0xff;
    }
    return bytes;
  };

  const invalidCharacter = (message: string): Error => {
    const error = new Error(message);
    error.name = 'InvalidCharacterError';
    return error;
  };

  class TextEncoder {
    readonly encoding = 'utf-8';
    encode(text: unknown = ''): Uint8Array {
      return encode(String(text));
    }
    encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
      let [read, written] = [0, 0];
      for (const character of text) {
        const bytes = encode(character);
        if (written + bytes.length > target.length) break;
        target.set(bytes, written);
        read += character.length;
        written += bytes.length;
      }
      return { read, written };
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
    decode(data?: unknown): string {
      const text = decode(viewOf(data), this.fatal);
      return !this.ignoreBOM && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
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

  kit.toBase64 = toBase64;
  kit.fromBase64 = (text) => fromBase64(text) ?? new Uint8Array();
  kit.encode = encode;
}
