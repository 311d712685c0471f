import type { MarkedToken, Token, Tokens } from 'marked';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Texts } from '../texts/texts.ts';
import { addressOf, isOwnImage, webAddressOf } from './address.ts';
import { ownImageName } from './lex.ts';
import { isMisleading } from './misleading.ts';
import { decodeReferences, proseOf, seen } from './prose.ts';

/** Context of rendering. */
export interface Rendering {
  readonly texts: Texts['markdown'];
  /** Embedded images. */
  readonly images: readonly string[];
  /** True if an external image may be shown. */
  isLoaded(source: string): boolean;
  /** Requests an external image. */
  load(source: string): void;
  /** Current nesting depth. */
  readonly depth: number;
}

/** A renderable value. */
export type Shown = TemplateResult | string | typeof nothing;

const deepest = 24;

/** Renders one level deeper. Content that is too deep is shown verbatim. */
export function within(
  tokens: readonly Token[],
  rendering: Rendering,
  render: (token: MarkedToken, rendering: Rendering) => Shown,
): readonly Shown[] {
  const { depth } = rendering;
  if (depth >= deepest) return tokens.map(({ raw }) => seen(raw));
  return tokens.map((token) => render(token as MarkedToken, { ...rendering, depth: depth + 1 }));
}

/** Renders inline content. */
export function inline(tokens: readonly Token[], rendering: Rendering): readonly Shown[] {
  return within(tokens, rendering, inlineToken);
}

function inlineToken(token: MarkedToken, rendering: Rendering): Shown {
  switch (token.type) {
    case 'strong':
      return html`<strong>${inline(token.tokens, rendering)}</strong>`;
    case 'em':
      return html`<em>${inline(token.tokens, rendering)}</em>`;
    case 'del':
      return html`<del>${inline(token.tokens, rendering)}</del>`;
    case 'codespan':
      return html`<code>${seen(token.text)}</code>`;
    case 'br':
      return html`<br />`;
    case 'link':
      return link(token, rendering);
    case 'image':
      return image(token, rendering);
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw.trim()) ? html`<br />` : seen(token.raw);
    case 'checkbox':
      return check(token.checked, rendering.texts);
    case 'escape':
      return seen(token.text);
    case 'text':
      return token.tokens === undefined ? proseOf(token.text) : html`${inline(token.tokens, rendering)}`;
    default:
      return seen(token.raw);
  }
}

function link(token: Tokens.Link, rendering: Rendering): Shown {
  const address = addressOf(token.href);
  const words = inline(token.tokens, rendering);
  if (address === undefined)
    return html`${words}${token.href === token.text ? nothing : ` (${seen(token.href.slice(0, 200))})`}`;
  const { text, hasImage } = seenOf(token.tokens);
  const isShown = hasImage || isMisleading(text, address); // an image may show any text
  return html`<a href=${address.href} title=${address.place} rel="noopener noreferrer nofollow" target="_blank"
      >${words}</a
    >${isShown ? html` <span class="place">(${address.place})</span>` : nothing}`;
}

/** Visible content of inline tokens. */
interface Seen {
  readonly text: string;
  readonly hasImage: boolean;
}

function seenOf(tokens: readonly Token[], depth = 0): Seen {
  if (depth >= deepest) return { text: tokens.map(({ raw }) => raw).join(''), hasImage: false };
  const all = tokens.map((token) => seenOfToken(token as MarkedToken, depth));
  return { text: all.map(({ text }) => text).join(''), hasImage: all.some(({ hasImage }) => hasImage) };
}

function seenOfToken(token: MarkedToken, depth: number): Seen {
  if (token.type === 'image') return { text: decodeReferences(token.text), hasImage: true };
  if ('tokens' in token && token.tokens !== undefined) return seenOf(token.tokens, depth + 1);
  if (token.type === 'text') return { text: decodeReferences(token.text), hasImage: false };
  return { text: token.type === 'codespan' || token.type === 'escape' ? token.text : token.raw, hasImage: false };
}

function image({ href, text }: Tokens.Image, { texts, images, isLoaded, load }: Rendering): Shown {
  const words = proseOf(text);
  const own = href.startsWith(ownImageName) ? images[Number(href.slice(ownImageName.length))] : undefined;
  if (own !== undefined && isOwnImage(own)) return html`<img src=${own} alt=${words} />`;
  const address = webAddressOf(href);
  if (address === undefined)
    return html`<span class="chip">${texts.imageNotShown}${words === '' ? nothing : `: ${words}`}</span>`;
  if (isLoaded(address.href))
    return html`<img src=${address.href} alt=${words} loading="lazy" referrerpolicy="no-referrer" />`;
  const from = texts.imageFrom(address.place);
  return html`<span class="chip"
    ><span>${from}${words === '' ? nothing : `: ${words}`}</span
    ><button class="plain" aria-label="${texts.load}: ${from}" @click=${() => load(address.href)}>
      ${texts.load}
    </button></span
  >`;
}

function check(isDone: boolean, texts: Texts['markdown']): Shown {
  return html`<span class="check" aria-hidden="true">${isDone ? '☑' : '☐'}</span
    ><span class="hidden-text">${isDone ? texts.done : texts.toDo}</span>`;
}
