import { cleanLine, webAddress } from '../clean.ts';

/** A subtitle track of a page. */
export interface Subtitles {
  readonly label: string;
  readonly url: string;
}

/** Maximum characters of the embedded subtitle list of a page. */
const longestList = 100_000;

/** Maximum number of tracks to report. */
const most = 20;

/** Subtitles from `track` elements, or from the list in the scripts of a video player. */
export function subtitlesIn(html: string, base: string): readonly Subtitles[] {
  const all = [...tracksIn(html), ...listedIn(html)].flatMap(({ label, url }) => {
    const address = webAddress(url, base);
    return url === '' || address === undefined ? [] : [{ label: cleanLine(label, 60), url: address }];
  });
  return [...new Map(all.map((each) => [each.url, each])).values()].slice(0, most);
}

function tracksIn(html: string): readonly Subtitles[] {
  return (html.match(/<track\s[^<>]{1,2000}>/gi) ?? []).slice(0, most).flatMap((tag) => {
    const kind = valueOf(tag, 'kind') ?? 'subtitles';
    const url = valueOf(tag, 'src');
    if (url === undefined || !/^(?:subtitles|captions)$/i.test(kind)) return [];
    return [{ label: valueOf(tag, 'label') ?? valueOf(tag, 'srclang') ?? '', url: url.replaceAll('&amp;', '&') }];
  });
}

function valueOf(tag: string, name: string): string | undefined {
  const [, quoted, single, bare] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag) ?? [];
  return quoted ?? single ?? bare;
}

/** `"captionTracks":[{"baseUrl":…,"name":{"simpleText":…}}]` */
function listedIn(html: string): readonly Subtitles[] {
  const key = '"captionTracks":';
  const from = html.indexOf(key);
  if (from < 0) return [];
  const list = html.slice(from + key.length, from + key.length + longestList);
  for (let end = list.indexOf(']'), tries = 0; end >= 0 && tries < 200; end = list.indexOf(']', end + 1), tries++) {
    const tracks = parsed(list.slice(0, end + 1));
    if (Array.isArray(tracks)) return tracks.map(toSubtitles);
  }
  return [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the list continues after this bracket, or is invalid
  }
}

function toSubtitles(track: unknown): Subtitles {
  const { baseUrl, name, languageCode } = Object(track) as Readonly<Record<string, unknown>>;
  const { simpleText, runs } = Object(name) as Readonly<Record<string, unknown>>;
  const [run] = Array.isArray(runs) ? (runs as readonly unknown[]) : [];
  const { text } = Object(run) as Readonly<Record<string, unknown>>;
  const label = [simpleText, text, languageCode].find((each) => typeof each === 'string');
  return { label: label ?? '', url: typeof baseUrl === 'string' ? baseUrl : '' };
}
