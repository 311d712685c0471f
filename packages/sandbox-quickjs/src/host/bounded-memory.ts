const pageBytes = 65_536;

/** Offset of the first section, after the magic number and version. */
const firstSection = 8;

/** Id of the memory section. */
const memorySection = 5;

/** A decoded number, and the offset after it. */
interface Read {
  readonly value: number;
  readonly end: number;
}

/**
 * Rewrites a WebAssembly module so that its memory cannot grow beyond a number of bytes. QuickJS counts only the
 * allocations of the code, not those of its allocator: an array being moved exists twice, and fragmentation is not
 * counted. A module without its own memory is returned unchanged.
 */
export function boundMemory(module: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
  for (let start = firstSection; start < module.length;) {
    const { value: length, end: body } = readNumber(module, start + 1);
    if (module[start] === memorySection) return replaced(module, { start, body, end: body + length }, bytes);
    start = body + length;
  }
  return new Uint8Array(module);
}

function replaced(
  module: Uint8Array,
  { start, body, end }: { readonly start: number; readonly body: number; readonly end: number },
  bytes: number,
): Uint8Array<ArrayBuffer> {
  const count = readNumber(module, body);
  const flags = readNumber(module, count.end);
  const least = readNumber(module, flags.end);
  const isPlain = count.value === 1 && flags.value <= 1; // one unshared 32-bit memory
  if (!isPlain) throw new Error('the WebAssembly has a memory that cannot be bounded');
  const given = flags.value === 1 ? readNumber(module, least.end).value : Infinity;
  const most = Math.max(least.value, Math.min(given, Math.floor(bytes / pageBytes)));
  const section = [1, 1, ...numberOf(least.value), ...numberOf(most)];
  const made = [memorySection, ...numberOf(section.length), ...section];
  const bounded = new Uint8Array(start + made.length + module.length - end);
  bounded.set(module.subarray(0, start));
  bounded.set(made, start);
  bounded.set(module.subarray(end), start + made.length);
  return bounded;
}

/** Decodes LEB128. */
function readNumber(module: Uint8Array, start: number): Read {
  let value = 0;
  for (let end = start, place = 1; end < module.length; place *= 128) {
    const byte = module[end++] ?? 0;
    value += (byte & 127) * place;
    if (byte < 128) return { value, end };
  }
  throw new Error('the WebAssembly is truncated');
}

function numberOf(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...numberOf(Math.floor(value / 128))];
}
