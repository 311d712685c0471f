/** Handling of a response, by its kind. */
export type MediaKind = 'html' | 'pdf' | 'transcript' | 'text' | 'binary';

interface Media {
  readonly contentType: string;
  readonly url: string;
  readonly bytes: Uint8Array;
}

/** Generic types: the content decides. */
const vague: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'unknown/unknown']);

const textual =
  /^text\/|[/+](?:json|xml|yaml|javascript)$|^application\/(?:x-)?(?:ecmascript|graphql|ld-json|ndjson|json5|sh|sql|toml|typescript|www-form-urlencoded|subrip|rtf|tex)$/;

const transcriptTypes: ReadonlySet<string> = new Set(['text/vtt', 'application/x-subrip', 'text/srt']);

/** Media type without parameters. */
export function typeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Kind of a response: as declared, or, if the type is generic, as detected. */
export function kindOf({ contentType, url, bytes }: Media): MediaKind {
  const type = typeOf(contentType);
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, 1_024));
  if (type === 'application/pdf' || head.startsWith('%PDF-')) return 'pdf';
  if (!/charset\s*=\s*["']?utf-?16/i.test(contentType) && isScrambled(bytes)) return 'binary';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (!vague.has(type) && !textual.test(type)) return 'binary';
  if (vague.has(type) && /<html|<!doctype html/i.test(head)) return 'html';
  if (vague.has(type) && hasZeros(bytes)) return 'binary';
  return transcriptTypes.has(type) || isTranscript(url, head) ? 'transcript' : 'text';
}

function hasZeros(bytes: Uint8Array): boolean {
  return !isMarked(bytes) && bytes.subarray(0, 1_024).includes(0);
}

/** UTF-16 also contains zeros, but starts with a byte order mark. */
function isMarked(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Number and share of control characters above which content is not text, whatever its declared type. */
const [fewControls, mostControls] = [3, 0.05];

/** For example, compressed without being requested. */
function isScrambled(bytes: Uint8Array): boolean {
  if (isMarked(bytes)) return false;
  const head = bytes.subarray(0, 1_024);
  const controls = head.filter((byte) => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b);
  return controls.length > Math.max(fewControls, head.length * mostControls);
}

const beginnings = [
  /^WEBVTT\b/,
  /^<\?xml[^<>]*>\s*<(?:transcript|timedtext)\b/,
  /^<(?:transcript|timedtext)\b/,
  /^\{\s*"wireMagic"\s*:\s*"pb3"/,
];

function isTranscript(url: string, head: string): boolean {
  const text = head.replace(/^ï»¿/, '').trimStart(); // a byte order mark, decoded as Windows-1252
  return /\.(?:vtt|srt)$/i.test(new URL(url).pathname) || beginnings.some((beginning) => beginning.test(text));
}
