import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { Links } from 'marked';
import { markdown as english } from '../texts/english.ts';
import type { Texts } from '../texts/texts.ts';
import { blocks, codeBlock, plain } from './blocks.ts';
import type { Rendering } from './inline.ts';
import { lex, linksOf } from './lex.ts';
import { mended } from './mend.ts';
import { segmentsOf } from './segments.ts';
import type { Segment } from './segments.ts';

/** Options of {@link renderMarkdown}. */
export interface MarkdownOptions {
  /** Default: English. */
  readonly texts?: Texts['markdown'];
  /** True while the text is streaming: open constructs at its end are completed. */
  readonly isStreaming?: boolean;
  /** External images to show. Default: none. */
  readonly loaded?: 'all' | ReadonlySet<string>;
  /** Called when a person asks for an image. */
  load?(source: string): void;
}

/** Renders one growing text incrementally: unchanged parts are neither parsed nor rendered again. */
export type MarkdownRenderer = (text: string, options?: MarkdownOptions) => TemplateResult;

const mostSegments = 3_000;

/**
 * Renders GitHub-flavored Markdown with Lit. HTML in it is shown as text. Links lead only to the web or to mail;
 * external images are not loaded by themselves.
 *
 * @example
 * ```ts no-run
 * import { renderMarkdown } from '@utensil/elements/markdown';
 * import { render } from 'lit';
 *
 * render(renderMarkdown('Some **words**.'), document.body);
 * ```
 */
export function renderMarkdown(text: string, options?: MarkdownOptions): TemplateResult {
  return createMarkdownRenderer()(text, options);
}

/** Creates an incremental renderer for one growing text. */
export function createMarkdownRenderer(): MarkdownRenderer {
  let before = '';
  let segments: readonly Segment[] = [];

  return function render(text, options = {}) {
    const { texts = english, isStreaming = false, loaded = new Set(), load = () => {} } = options;
    segments = segmentsOf(text, text.startsWith(before) ? segments : []);
    before = text;
    const links = linksOf(text);
    const known = JSON.stringify(links);
    const last = segments.length - 1;
    const shown = segments.slice(0, mostSegments);
    const rest = segments[mostSegments];
    const isLoaded = (source: string): boolean => loaded === 'all' || loaded.has(source);
    const rendering = { texts, images: [], isLoaded, load, depth: 0 };
    const seen = loaded === 'all' ? loaded : loaded.size;
    return html`${shown.map((segment, index) => {
      const isOpen = isStreaming && index === last;
      const depends = segment.text.includes('[') ? [known, seen] : [];
      return guard([segment, isOpen, texts, ...depends], () => renderSegment(segment, { rendering, links, isOpen }));
    })}${rest === undefined ? '' : plain(text.slice(rest.start))}`;
  };
}

interface SegmentRendering {
  readonly rendering: Rendering;
  readonly links: Links;
  readonly isOpen: boolean;
}

function renderSegment({ text, fence }: Segment, { rendering, links, isOpen }: SegmentRendering): unknown {
  if (fence !== undefined) {
    const isEnding = isOpen && !fence.isClosed; // its last line may be the start of the closing fence
    const code = isEnding ? fence.code.replace(/(?:^|\n) {0,3}(?:`+|~+)$/, '') : fence.code;
    return codeBlock(code, fence.language, rendering.texts);
  }
  const lexed = lex(isOpen ? mended(text) : text, links);
  return lexed === undefined ? plain(text.trim()) : blocks(lexed.tokens, { ...rendering, images: lexed.images });
}
