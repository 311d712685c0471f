import type { JSValueHandle, QuickJS } from 'quickjs-wasi';

/** Reads a guest string; undefined if it has more than `most` characters, in which case nothing is copied. */
export type ReadText = (text: JSValueHandle, most: number) => string | undefined;

/** Maximum bytes of a text that quickjs-wasi reads internally: module names and error messages. */
const longestOwn = 10_000;

type Exports = ReturnType<QuickJS['_getExports']>;

/** Internal members of quickjs-wasi through which all texts leave its memory. */
interface Inside {
  exports: Exports;
  readCString(pointer: number): string;
}

/**
 * Limits the texts that an instance copies out of its guest. Such copies are not counted by any limit, and a module
 * name or error message may be as long as the guest's memory.
 */
export function boundTexts(vm: QuickJS): ReadText {
  const inside = vm as unknown as Inside;
  const { exports } = inside;
  if (typeof exports?.qjs_get_string_len !== 'function' || typeof inside.readCString !== 'function')
    throw new Error('This version of quickjs-wasi is not known: the texts of its guest cannot be bounded.');
  let most = longestOwn;

  const bounded: Pick<Exports, 'qjs_get_string_len'> = {
    qjs_get_string_len(value, lengthAt) {
      const start = exports.qjs_get_string_len(value, lengthAt);
      if (start === 0 || numberAt(exports, lengthAt) <= most) return start;
      exports.qjs_free_cstring(start);
      return 0;
    },
  };
  inside.exports = Object.setPrototypeOf(bounded, exports) as Exports; // copying all exports takes longer than many a script
  inside.readCString = (start) => {
    const bytes = new Uint8Array(exports.memory.buffer, start);
    const end = bytes.subarray(0, longestOwn).indexOf(0);
    const text = new TextDecoder().decode(bytes.slice(0, end < 0 ? longestOwn : end));
    return end < 0 ? `${text}…` : text;
  };

  return (text, characters) => {
    if (text.length > characters) return undefined;
    most = characters * bytesPerCharacter;
    try {
      return text.toString();
    } finally {
      most = longestOwn;
    }
  };
}

/** Maximum UTF-8 bytes per UTF-16 code unit. */
const bytesPerCharacter = 3;

function numberAt({ memory }: Exports, at: number): number {
  return new DataView(memory.buffer).getUint32(at, true);
}
