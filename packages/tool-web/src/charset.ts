const marks: readonly (readonly [mark: readonly number[], charset: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Number of bytes to search for a charset declaration. */
const declaration = 2_048;

const declared = /<meta[^<>]{0,500}charset\s*=\s*["']?\s*([\w.:-]+)|<\?xml[^<>]{0,200}encoding\s*=\s*["']([\w.:-]+)/i;

/**
 * Decodes bytes: in the charset of a byte order mark, the content type or the page itself, else as UTF-8, else as
 * Windows-1252, as browsers do.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const mark = marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  const named = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1];
  const decoder = decoderOf(mark?.[1]) ?? decoderOf(named) ?? decoderOf(declaredIn(bytes));
  if (decoder !== undefined) return decoder.decode(bytes);
  const text = new TextDecoder().decode(bytes);
  const wrong = text.slice(0, -1).includes('\uFFFD'); // the last character of a truncated page may be incomplete
  return wrong ? new TextDecoder('windows-1252').decode(bytes) : text;
}

function declaredIn(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, declaration));
  const [, meta, xml] = declared.exec(head) ?? [];
  const name = meta ?? xml;
  return name !== undefined && /^utf-?16/i.test(name) ? 'utf-8' : name; // a readable declaration cannot be in UTF-16
}

function decoderOf(charset: string | undefined): TextDecoder | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined; // unknown charset
  }
}
