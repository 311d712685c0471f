import { cleanLine, webAddress } from '../clean.ts';
import { mainContent } from './main-content.ts';
import { toMarkdown } from './markdown.ts';
import { measure } from './measure.ts';
import type { Measures } from './measure.ts';
import { select } from './select.ts';
import { parsePage } from './tree.ts';
import type { Element } from './tree.ts';
import { subtitlesIn } from './subtitles.ts';
import type { Subtitles } from './subtitles.ts';
import { linkTarget, plainWords } from './words.ts';

/** Options of {@link readPage}. */
export interface ReadPageOptions {
  /** URL of the page. */
  readonly url: string;
  readonly keepImages?: boolean;
  /** Selector for the wanted parts: `article`, `#id`, `.class`, separated by commas. */
  readonly selector?: string | undefined;
}

/** Readable content of a page. */
export interface ReadPage {
  readonly title: string;
  readonly text: string;
  /** Notes for the model: requests that could not be met, and related addresses. */
  readonly notes: readonly string[];
}

/** In characters: if the main text is shorter than this and shorter than the rest, the rest is shown too. */
const leastText = 200;

/** Extracts a page as Markdown: its main text, or the elements that a selector names. */
export function readPage(html: string, { url, keepImages = false, selector }: ReadPageOptions): ReadPage {
  const { body, title, base, description, onward, frames } = parsePage(html);
  const measures = measure(body);
  const from = webAddress(base ?? '', url) ?? url;
  const write = (element: Element, skipBeside: boolean): string =>
    toMarkdown(element, { measures, base: from, keepImages, skipBeside });
  const chosen = selector === undefined ? undefined : selected(selector, measures);
  const text =
    chosen?.elements?.map((element) => write(element, false)).join('\n\n') ?? mainText(body, measures, write);
  return {
    title: cleanLine(title, 300),
    text: text === '' ? plainWords(cleanLine(description), '') : text,
    notes: [
      ...(chosen?.note === undefined ? [] : [chosen.note]),
      ...listNote(
        'The page redirects browsers, which was not followed, to',
        onward === undefined ? [] : [onward],
        from,
      ),
      ...(text === '' ? listNote('The text is in frames; open_link can open them:', frames, from) : []),
      ...subtitlesNote(subtitlesIn(html, url)),
    ],
  };
}

function mainText(body: Element, measures: Measures, write: (element: Element, skipBeside: boolean) => string): string {
  const text = write(mainContent(body, measures), true);
  if (text.length >= leastText) return text;
  const whole = write(body, false);
  return text.length < whole.length / 2 ? whole : text;
}

function selected(selector: string, measures: Measures): { elements?: readonly Element[]; note?: string } {
  const elements = select(selector, measures);
  if (elements === undefined)
    return {
      note: 'Selectors can be element names, #id, .class, combinations of these, and lists with commas. Showing the main text instead.',
    };
  if (elements.length === 0)
    return { note: `No element matches ${cleanLine(selector, 100)}. Showing the main text instead.` };
  return { elements };
}

/** A note that lists openable addresses. */
function listNote(what: string, given: readonly string[], base: string): readonly string[] {
  const addresses = given.flatMap((address) => (address === '' ? [] : (webAddress(address, base) ?? [])));
  return addresses.length === 0 ? [] : [`${what} ${addresses.map(linkTarget).join(', ')}`];
}

function subtitlesNote(subtitles: readonly Subtitles[]): readonly string[] {
  if (subtitles.length === 0) return [];
  const list = subtitles.map(({ label, url }) => `${plainWords(label, ' ')} ${linkTarget(url)}`.trim());
  return [`Subtitles (open them with open_link): ${list.join(', ')}`];
}
