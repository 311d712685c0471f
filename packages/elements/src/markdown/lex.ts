import { Lexer } from 'marked';
import type { Links, MarkedToken } from 'marked';
import { isTame } from './tame.ts';

/** A Markdown text as tokens, with the images that it carries itself, which its tokens only refer to. */
export interface Lexed {
  readonly tokens: readonly MarkedToken[];
  readonly images: readonly string[];
}

const ownImage = /(?<=\]\()data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*/g;
const definition = /^ {0,3}\[([^\]\n]{1,200})\]:[ \t]+<?(\S{1,2000}?)>?[ \t]*$/gm;

/** What images that a text carries itself are called in its tokens. */
export const ownImageName = 'own-image:';

/** Reads Markdown as people write it in messages, where a line break is one; undefined where that would take too long. */
export function lex(text: string, links: Links = {}): Lexed | undefined {
  const images: string[] = [];
  const short = text.replaceAll(ownImage, (source) => `${ownImageName}${images.push(source) - 1}`);
  if (!isTame(short)) return undefined;
  const lexer = new Lexer({ gfm: true, breaks: true });
  Object.assign(lexer.tokens.links, links);
  return { tokens: lexer.lex(short) as MarkedToken[], images };
}

/** Where the words that a text refers with lead to. */
export function linksOf(text: string): Links {
  const links: Links = {};
  if (!text.includes(']:')) return links;
  for (const [, name = '', href = ''] of text.matchAll(definition))
    links[name.toLowerCase().replaceAll(/\s+/g, ' ')] ??= { href, title: null };
  return links;
}
