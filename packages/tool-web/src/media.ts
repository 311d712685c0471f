/** What is done with what came. */
export type MediaKind = 'html' | 'pdf' | 'transcript' | 'text' | 'binary';

interface Media {
  readonly contentType: string;
  readonly url: string;
  readonly bytes: Uint8Array;
}

/** Types that say nothing: what came has to say it itself. */
const vague: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'unknown/unknown']);

const textual =
  /^text\/|[/+](?:json|xml|yaml|javascript)$|^application\/(?:x-)?(?:ecmascript|graphql|ld-json|ndjson|json5|sh|sql|toml|typescript|www-form-urlencoded|subrip|rtf|tex)$/;

const transcriptTypes: ReadonlySet<string> = new Set(['text/vtt', 'application/x-subrip', 'text/srt']);

/** The type without its parameters. */
export function typeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** What kind of thing a server sent: as it says, or, where it says nothing, as it looks. */
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

/** UTF-16 has zeros too, but begins with a mark. */
function isMarked(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** The number of control characters and their share, above which something is no text, whatever it is said to be. */
const [fewControls, mostControls] = [3, 0.05];

/** Compressed in a way that nobody asked for, say. */
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
  const text = head.replace(/^ï»¿/, '').trimStart(); // a byte order mark, read as Windows-1252
  return /\.(?:vtt|srt)$/i.test(new URL(url).pathname) || beginnings.some((beginning) => beginning.test(text));
}
