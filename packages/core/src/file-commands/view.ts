import { abridgeList } from '../files/edit/abridge.ts';
import { mediaTypeOf } from '../files/media-type.ts';
import { decodeText } from '../base/text-encoding.ts';
import { sha256Hex } from '../base/hash.ts';
import { done, refused } from './call.ts';
import type { Call, CommandAnswer } from './call.ts';
import { dataUrlLength, toDataUrl } from './data-url.ts';
import { showLines, splitLines } from './lines.ts';
import { listTwoLevels, shortSize } from './listing.ts';
import { fill } from './texts.ts';

/** Maximum length of a view in characters; the rest is cut, with a note on how to continue. */
export const viewLimit = 16_000;

const maxLines = 999_999;

/** Shows a file, or the contents of a directory. A missing root counts as an empty directory. */
export async function view(call: Call): Promise<CommandAnswer> {
  const { files, path, root, texts, values } = call;
  const stat = await files.stat(path);
  if (stat === undefined && path !== root) return refused(texts.viewMissing, values);
  return stat?.kind === 'file' ? viewFile(call) : viewDirectory(call, stat === undefined);
}

async function viewDirectory(call: Call, isAbsent: boolean): Promise<CommandAnswer> {
  const { files, path, leftOut, texts, values, limit } = call;
  const entries = isAbsent ? [] : await listTwoLevels(files, { path, leftOut });
  const lines = entries.map((entry) => `${shortSize(entry.size)}\t${entry.path}`);
  const { text, last } = showLines(lines, { first: 1, last: lines.length, numbered: false, limit });
  const note = last < lines.length ? [fill(texts.listingTruncated, { path, shown: last, total: lines.length })] : [];
  return {
    text: [fill(texts.directory, values), text === '' ? texts.empty : text, ...note].join('\n'),
    isError: false,
  };
}

async function viewFile(call: Call): Promise<CommandAnswer> {
  const { files, path, texts, values } = call;
  const { bytes } = await files.read(path);
  const type = mediaTypeOf(bytes);
  const decoded = type === 'text/plain' ? decodeText(bytes) : undefined;
  if (decoded === undefined) return viewBinary(call, bytes, type);
  const lines = splitLines(decoded.text);
  if (lines.length > maxLines) return refused(texts.tooManyLines, values);
  const range = rangeOf(call.input.view_range ?? [], lines.length);
  if (range === undefined) {
    return refused(texts.invalidRange, {
      ...values,
      range: abridgeList(call.input.view_range ?? [], { most: 10 }),
      total: lines.length,
    });
  }
  const header = fill(call.lineNumbers ? texts.file : (texts.fileWithoutNumbers ?? texts.file), values);
  return { text: `${header}\n${showRange(call, lines, range)}`, isError: false };
}

async function viewBinary({ path, texts, limit }: Call, bytes: Uint8Array, type: string): Promise<CommandAnswer> {
  if (dataUrlLength(bytes.length, type) > limit) {
    return done(texts.binaryTooLarge, { path, type, size: bytes.length, hash: await sha256Hex(bytes) });
  }
  return done(`${texts.binary}\n{url}`, { path, type, url: toDataUrl(bytes, type) });
}

interface Range {
  readonly first: number;
  readonly last: number;
  /** As the model wrote it; -1 is the end. */
  readonly end: number;
}

/** Lines of a `view_range`; all if there is none, undefined if it is outside the file. */
function rangeOf([start = 1, end = -1]: readonly number[], total: number): Range | undefined {
  const last = end === -1 ? total : Math.min(end, total);
  const isInFile = start >= 1 && start <= Math.max(total, 1) && (end === -1 || end >= start);
  return isInFile && Number.isInteger(start) && Number.isInteger(end) ? { first: start, last, end } : undefined;
}

/** Lines of a file, and notes about cuts. */
export function showRange(
  { texts, limit, lineNumbers }: Call,
  lines: readonly string[],
  { first, last, end }: Range,
): string {
  if (lines.length === 0) return texts.empty;
  const shown = showLines(lines, { first, last, numbered: lineNumbers, limit });
  const notes: string[] = [];
  if (shown.cutTo !== undefined) {
    const total = lines[shown.last - 1]?.length ?? 0;
    notes.push(fill(texts.lineTruncated, { line: shown.last, shown: shown.cutTo, total }));
  }
  if (shown.last < last) {
    const values = { first, last: shown.last, next: shown.last + 1, end, total: lines.length };
    notes.push(fill(texts.contentTruncated, values));
  }
  return [shown.text, ...notes].join('\n');
}
