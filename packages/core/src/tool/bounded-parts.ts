import { fromBase64 } from '../files/bundle/base64.ts';
import { hexNow } from '../base/sha256.ts';
import type { ContentPart, TextPart } from '../model/message.ts';
import { isMedia, isTooLarge, textLength } from '../model/media.ts';
import { wholeAt } from '../files/edit/indivisible.ts';
import { gapIn, gapText } from './gap.ts';
import type { ReadBack } from './gap.ts';

/** Places where data is described instead of shown. */
interface Mark {
  readonly start: number;
  readonly end: number;
  /** Difference in length between the data and its description. */
  readonly saved: number;
}

/** The gap in a text. */
interface Gap {
  readonly from: number;
  readonly to: number;
  readonly note: string;
}

/**
 * Limits the text of a tool's result to `limit` characters in total. Longer text is reduced to its head and tail, with
 * a note on how much is missing between them. With `readBack`, the note also says how to read the gap, and which
 * characters it comprises, counted over all texts of the result. Base64 is not shortened, but replaced by its type,
 * size and hash. In a result that is too long, links become text; images, recordings and files become text if they are
 * too large for any API.
 */
export function boundParts(parts: readonly ContentPart[], limit: number, readBack?: ReadBack): readonly ContentPart[] {
  const least = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : Infinity), 0);
  return least <= limit ? parts : cutParts(parts, Math.max(0, limit), readBack);
}

/** Data is described instead of shown, and if that is not enough, one gap is cut into the whole text. */
function cutParts(
  parts: readonly ContentPart[],
  limit: number,
  readBack: ReadBack | undefined,
): readonly ContentPart[] {
  const length = parts.reduce((sum, part) => sum + (isTooLarge(part) ? Infinity : textLength(part)), 0);
  if (length <= limit) return parts;
  const marks: Mark[] = [];
  const named: ContentPart[] = [];
  let shown = '';
  for (const part of parts.map(toShown)) {
    const text = part.type === 'text' ? nameData(part.text, shown.length, marks) : '';
    named.push(part.type === 'text' ? withText(part, text, text.length) : part);
    shown += text;
  }
  return shown.length <= limit ? named : cutAll(named, gapOf(shown, limit, { marks, readBack }));
}

/** Keeps parts that may stay unchanged; all others become text that can be shortened. */
function toShown(part: ContentPart): ContentPart {
  if (part.type === 'text' || (isMedia(part) && !isTooLarge(part))) return part;
  const told = 'data' in part ? { ...part, data: 'too large' } : part;
  return { type: 'text', text: JSON.stringify(told) };
}

/**
 * Start of a base64 data URL, or of text that can only be base64: long and without punctuation. All repetitions are
 * bounded: an unbounded one takes a stack frame per character, and data has millions.
 */
const beginning =
  /data:([\w.+-]{1,127}\/[\w.+-]{1,127})?(?:;[\w.+=-]{1,127}){0,8};base64,(?=[A-Za-z0-9+/]{64})|(?<![A-Za-z0-9+/])(?=[A-Za-z0-9+/]{512})/g;

function nameData(text: string, offset: number, marks: Mark[]): string {
  const begins = new RegExp(beginning);
  let shown = '';
  let end = 0;
  for (let begin = begins.exec(text); begin !== null; begin = begins.exec(text)) {
    const { 0: prefix, 1: mediaType, index } = begin;
    const behind = endOfData(text, index + prefix.length);
    begins.lastIndex = behind;
    const content = text.slice(index + prefix.length, behind);
    if (prefix === '' && !isMixed(content)) continue;
    const name = nameOf(mediaType ?? 'base64 data', content);
    shown += text.slice(end, index);
    const start = offset + shown.length;
    marks.push({ start, end: start + name.length, saved: behind - index - name.length });
    shown += name;
    end = behind;
  }
  return shown + text.slice(end);
}

/** End of the base64 that begins at `from`, padding included. */
function endOfData(text: string, from: number): number {
  const other = /[^A-Za-z0-9+/]/g;
  other.lastIndex = from;
  const end = other.exec(text)?.index ?? text.length;
  return end + (/^={1,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0);
}

/** Base64 contains all three classes; hexadecimal digits and repeated letters do not. */
function isMixed(text: string): boolean {
  return /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text);
}

function nameOf(type: string, base64: string): string {
  const bytes = fromBase64(base64) ?? new TextEncoder().encode(base64);
  return `[${type}, ${bytes.length} bytes, sha256 ${hexNow(bytes).slice(0, 12)}, not shown]`;
}

function gapOf(
  shown: string,
  limit: number,
  { marks, readBack }: { readonly marks: readonly Mark[]; readonly readBack: ReadBack | undefined },
): Gap {
  const [begin, end] = gapIn(shown.length, limit);
  const from = markAt(marks, begin)?.start ?? wholeAt(shown, begin);
  const to = markAt(marks, end)?.end ?? wholeAt(shown, end);
  const original = (at: number): number => marks.reduce((sum, mark) => sum + (mark.end <= at ? mark.saved : 0), at);
  const [first, behind] = [original(from), original(to)];
  const advice = adviceOf(readBack, `from ${first} to ${behind}`);
  return { from, to, note: gapText(behind - first, original(shown.length), advice) };
}

function adviceOf(readBack: ReadBack | undefined, place: string): string | undefined {
  if (typeof readBack !== 'object') return readBack && `, ${place}: ${readBack}`;
  return `. To read the output that this was made of, ${readBack.other}`; // position within the data is unknown
}

/** Description of the data that a cut at this position would split. */
function markAt(marks: readonly Mark[], at: number): Mark | undefined {
  return marks.find(({ start, end }) => start < at && at < end);
}

function cutAll(parts: readonly ContentPart[], gap: Gap): readonly ContentPart[] {
  let end = 0;
  return parts.flatMap((part) => {
    if (part.type !== 'text') return [part];
    const start = end;
    end += part.text.length;
    return end <= gap.from || start >= gap.to ? [part] : cutPart(part, start, gap);
  });
}

/** The remainder of a part that begins at `start`, with the note where the gap begins. */
function cutPart(part: TextPart, start: number, { from, to, note }: Gap): readonly ContentPart[] {
  const head = part.text.slice(0, Math.max(0, from - start));
  const tail = part.text.slice(to - start);
  if (start > from && tail === '') return [];
  return [withText(part, start > from ? tail : `${head}\n${note}\n${tail}`, head.length)];
}

/** A part with another text, and thus another version of its resource. */
function withText(part: TextPart, text: string, headLength: number): TextPart {
  if (text === part.text) return part;
  const { resource } = part;
  if (resource === undefined) return { ...part, text };
  return { ...part, text, resource: { ...resource, etag: `${resource.etag} cut ${headLength}/${text.length}` } };
}
