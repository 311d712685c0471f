import { decodeHTML } from 'entities';
import { cleanLine } from './clean.ts';

interface Cue {
  /** In seconds. */
  readonly start: number;
  readonly text: string;
}

/** Text of subtitles (WebVTT, SubRip, timed text as XML or JSON), optionally with times. */
export function readTranscript(source: string, { timestamps = false }: { readonly timestamps?: boolean } = {}): string {
  const cues = withoutRepeats(cuesOf(source.trimStart()));
  if (cues.length === 0) return source;
  if (timestamps) return cues.map(({ start, text }) => `[${clock(start)}] ${text}`).join('\n');
  return cues.map(({ text }) => text).join(' ');
}

function cuesOf(source: string): readonly Cue[] {
  if (source.startsWith('{')) return fromJson(source);
  return source.startsWith('<') ? fromXml(source) : fromLines(source);
}

const timing = /^\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?\s*-->/;

/** WebVTT and SubRip: a line with the times, then text up to an empty line. */
function fromLines(source: string): readonly Cue[] {
  const cues: { readonly start: number; readonly lines: string[] }[] = [];
  let isInCue = false;
  for (const line of source.split(/\r\n?|\n/)) {
    const times = timing.exec(line);
    if (times !== null) {
      const [, hours = 0, minutes = 0, seconds = 0, rest = '0'] = times;
      cues.push({ start: Number(hours) * 3_600 + Number(minutes) * 60 + Number(`${seconds}.${rest}`), lines: [] });
    } else if (isInCue && line.trim() !== '') cues.at(-1)?.lines.push(line);
    isInCue = times !== null || (isInCue && line.trim() !== '');
  }
  return cues.flatMap(({ start, lines }) => lines.map((line) => ({ start, text: words(line) })));
}

/** `<text start="1.5">` in seconds, or `<p t="1500">` in milliseconds. */
function fromXml(source: string): readonly Cue[] {
  return source.split(/<\/(?:text|p)>/).flatMap((piece) => {
    const begin = Math.max(piece.lastIndexOf('<text '), piece.lastIndexOf('<p '));
    const end = piece.indexOf('>', begin);
    if (begin < 0 || end < 0) return [];
    const tag = piece.slice(begin, Math.min(end, begin + 500));
    const [, seconds] = /\sstart="([\d.]+)"/.exec(tag) ?? [];
    const [, milliseconds] = /\st="(\d+)"/.exec(tag) ?? [];
    return [
      {
        start: Number(seconds ?? Number(milliseconds ?? 0) / 1_000) || 0,
        text: words(decodeHTML(piece.slice(end + 1))),
      },
    ];
  });
}

function fromJson(source: string): readonly Cue[] {
  const { events } = parsed(source) as { readonly events?: unknown };
  return asList(events).map((event) => {
    const { tStartMs, segs } = event as { readonly tStartMs?: unknown; readonly segs?: unknown };
    const text = asList(segs).map((segment) => String((segment as { readonly utf8?: unknown }).utf8 ?? ''));
    return { start: (Number(tStartMs) || 0) / 1_000, text: cleanLine(text.join('')) };
  });
}

function parsed(source: string): object {
  try {
    return Object(JSON.parse(source)) as object;
  } catch {
    return {}; // truncated, or something else
  }
}

function asList(value: unknown): readonly object[] {
  return Array.isArray(value) ? value.map((each) => Object(each) as object) : [];
}

function words(text: string): string {
  return cleanLine(decodeHTML(text.replaceAll(/<[^<>]*>/g, '')));
}

/** Removes repeats: rolling captions repeat each line with the next one. */
function withoutRepeats(cues: readonly Cue[]): readonly Cue[] {
  const kept: Cue[] = [];
  for (const cue of cues) if (cue.text !== '' && cue.text !== kept.at(-1)?.text) kept.push(cue);
  return kept;
}

function clock(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
