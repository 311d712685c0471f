/** Index of some bytes in others, from an offset on; -1 if they are missing. */
export type FindBytes = (bytes: Uint8Array, from: number) => number;

/** Searches bytes with the Horspool algorithm. */
export function findBytes(wanted: Uint8Array): FindBytes {
  const last = wanted.length - 1;
  const final = wanted[last];
  if (last === 0) return (bytes, from) => bytes.indexOf(final as number, from);
  const skips = new Uint32Array(256).fill(wanted.length);
  for (let index = 0; index < last; index++) skips[wanted[index] as number] = last - index;
  return (bytes, from) => {
    const { length } = bytes;
    for (let end = from + last; end < length;) {
      const byte = bytes[end] as number;
      if (byte === final) {
        let index = 0;
        while (index < last && bytes[end - last + index] === wanted[index]) index++;
        if (index === last) return end - last;
      }
      end += skips[byte] as number;
    }
    return -1;
  };
}
