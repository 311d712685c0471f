import type { Kit } from './kit.ts';

/** UTF-8, in the guest: a text that the host encodes is there several times over, in memory that no limit counts. */
export function guestUtf8(kit: Kit): void {
  const { fromCharCode } = String;
  const { apply } = Reflect;
  const replacement = 0xfffd;
  /** Units of UTF-16 that one call of `String.fromCharCode` takes. */
  const stretch = 4_096;

  /** The code point at a place; a lone surrogate counts as the replacement character. */
  const pointAt = (text: string, at: number): number => {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdfff) return unit;
    const next = unit < 0xdc00 && at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    return next >= 0xdc00 && next <= 0xdfff ? 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00) : replacement;
  };

  const bytesFor = (point: number): number => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4);

  const put = (bytes: Uint8Array, at: number, point: number): void => {
    const count = bytesFor(point);
    const lead = [0, 0, 0xc0, 0xe0, 0xf0][count] ?? 0;
    bytes[at] = lead | (point >> (6 * (count - 1)));
    for (let index = 1; index < count; index++)
      bytes[at + index] = 0x80 | ((point >> (6 * (count - 1 - index))) & 0x3f);
  };

  kit.encodeInto = (text, bytes) => {
    let [read, written] = [0, 0];
    while (read < text.length) {
      const unit = text.charCodeAt(read);
      if (unit < 0x80) {
        if (written >= bytes.length) break;
        bytes[written++] = unit;
        read++;
        continue;
      }
      const point = pointAt(text, read);
      const count = bytesFor(point);
      if (written + count > bytes.length) break;
      put(bytes, written, point);
      written += count;
      read += point > 0xffff ? 2 : 1;
    }
    return { read, written };
  };

  kit.encode = (text) => {
    let length = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 0x80) length++;
      else {
        const point = pointAt(text, at);
        length += bytesFor(point);
        if (point > 0xffff) at++;
      }
    }
    const bytes = new Uint8Array(length);
    kit.encodeInto(text, bytes);
    return bytes;
  };

  /** What may follow a first byte: how many bytes, and between which the next one is, so that nothing is longer than it has to be. */
  const shapeOf = (lead: number): readonly [count: number, low: number, high: number] => {
    if (lead >= 0xc2 && lead <= 0xdf) return [1, 0x80, 0xbf];
    if (lead >= 0xe0 && lead <= 0xef) return [2, lead === 0xe0 ? 0xa0 : 0x80, lead === 0xed ? 0x9f : 0xbf];
    if (lead >= 0xf0 && lead <= 0xf4) return [3, lead === 0xf0 ? 0x90 : 0x80, lead === 0xf4 ? 0x8f : 0xbf];
    return [0, 0, 0];
  };

  kit.decode = (bytes, { fatal = false, ignoreBOM = false } = {}) => {
    const { length } = bytes;
    const hasMark = !ignoreBOM && length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    const units = new Uint16Array(stretch + 2);
    let [text, filled] = ['', 0];
    for (let at = hasMark ? 3 : 0; at < length;) {
      const lead = bytes[at++] ?? 0;
      let point = lead;
      if (lead >= 0x80) {
        const [count, low, high] = shapeOf(lead);
        let [seen, least, most] = [0, low, high];
        point = lead & (0x3f >> count);
        for (; seen < count; seen++) {
          const next = bytes[at] ?? 0;
          if (at >= length || next < least || next > most) break;
          point = (point << 6) | (next & 0x3f);
          at++;
          [least, most] = [0x80, 0xbf];
        }
        if (count === 0 || seen < count) {
          if (fatal) return undefined;
          point = replacement;
        }
      }
      if (point > 0xffff) {
        units[filled++] = 0xd800 + ((point - 0x10000) >> 10);
        units[filled++] = 0xdc00 + ((point - 0x10000) & 0x3ff);
      } else units[filled++] = point;
      if (filled >= stretch) {
        text += apply(fromCharCode, undefined, units.subarray(0, filled));
        filled = 0;
      }
    }
    return text + apply(fromCharCode, undefined, units.subarray(0, filled));
  };
}
