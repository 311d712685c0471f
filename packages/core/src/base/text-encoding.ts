/** Encoding of a stored text; preserved by edits. */
export interface TextFormat {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** True if it begins with a byte order mark. Always true for UTF-16. */
  readonly bom: boolean;
}

/** A text with its encoding. */
export interface DecodedText {
  /** Without the byte order mark. */
  readonly text: string;
  readonly format: TextFormat;
}

/** Encodes texts as UTF-8. */
export const encoder = /* @__PURE__ */ new TextEncoder();

/** UTF-8 without a byte order mark. */
export const utf8: TextFormat = { encoding: 'utf-8', bom: false };

/** Byte order marks and their encodings. */
export const marks: readonly { readonly format: TextFormat; readonly bytes: readonly number[] }[] = [
  { format: { encoding: 'utf-8', bom: true }, bytes: [0xef, 0xbb, 0xbf] },
  { format: { encoding: 'utf-16le', bom: true }, bytes: [0xff, 0xfe] },
  { format: { encoding: 'utf-16be', bom: true }, bytes: [0xfe, 0xff] },
];

/**
 * Decodes bytes as UTF-8, or as UTF-16 if a byte order mark says so; undefined for anything else, and for text with
 * NUL.
 */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const mark = marks.find((each) => each.bytes.every((byte, index) => bytes[index] === byte));
  const format = mark?.format ?? utf8;
  const text = decodeStrictly(bytes.subarray(mark?.bytes.length ?? 0), format);
  return text === undefined || text.includes('\0') ? undefined : { text, format };
}

function decodeStrictly(bytes: Uint8Array, { encoding }: TextFormat): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
