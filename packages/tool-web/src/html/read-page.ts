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

/** How a page is read. */
export interface ReadPageOptions {
  /** Where it is from. */
  readonly url: string;
  readonly keepImages?: boolean;
  /** Which parts of it are wanted: `article`, `#id`, `.class`, several with commas. */
  readonly selector?: string | undefined;
}

/** What a page says. */
export interface ReadPage {
  readonly title: string;
  readonly text: string;
  /** What could not be done as it was asked for, and what else there is. */
  readonly notes: readonly string[];
}

/** In characters: where the text is shorter than this, and than what is beside it, that is shown too. */
const leastText = 200;

/** What a page says, as Markdown: its main text, or what a selector names. */
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
      ...listNote('Browsers are sent on, which is not followed, to', onward === undefined ? [] : [onward], from),
      ...(text === '' ? listNote('The text is in frames, which open_link can open:', frames, from) : []),
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
      note: 'Selectors are element names, #id, .class, and these together or with commas: this is the main text.',
    };
  if (elements.length === 0) return { note: `Nothing here is ${cleanLine(selector, 100)}: this is the main text.` };
  return { elements };
}

/** Tells of addresses, of those that can be opened. */
function listNote(what: string, given: readonly string[], base: string): readonly string[] {
  const addresses = given.flatMap((address) => (address === '' ? [] : (webAddress(address, base) ?? [])));
  return addresses.length === 0 ? [] : [`${what} ${addresses.map(linkTarget).join(', ')}`];
}

function subtitlesNote(subtitles: readonly Subtitles[]): readonly string[] {
  if (subtitles.length === 0) return [];
  const list = subtitles.map(({ label, url }) => `${plainWords(label, ' ')} ${linkTarget(url)}`.trim());
  return [`Subtitles, which open_link reads: ${list.join(', ')}`];
}
