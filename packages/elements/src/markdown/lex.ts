import { Lexer } from 'marked';
import type { Links, MarkedToken } from 'marked';
import { isTame } from './tame.ts';

/** A tokenized Markdown text, with its embedded images, which tokens refer to by index. */
export interface Lexed {
  readonly tokens: readonly MarkedToken[];
  readonly images: readonly string[];
}

const ownImage = /(?<=\]\()data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*/g;
const definition = /^ {0,3}\[([^\]\n]{1,200})\]:[ \t]+<?(\S{1,2000}?)>?[ \t]*$/gm;

/** Prefix of references to embedded images. */
export const ownImageName = 'own-image:';

/** Tokenizes Markdown with hard line breaks, as in messages; undefined if that would take too long. */
export function lex(text: string, links: Links = {}): Lexed | undefined {
  const images: string[] = [];
  const short = text.replaceAll(ownImage, (source) => `${ownImageName}${images.push(source) - 1}`);
  if (!isTame(short)) return undefined;
  const lexer = new Lexer({ gfm: true, breaks: true });
  Object.assign(lexer.tokens.links, links);
  return { tokens: lexer.lex(short) as MarkedToken[], images };
}

/** Targets of the link references in a text. */
export function linksOf(text: string): Links {
  const links: Links = {};
  if (!text.includes(']:')) return links;
  for (const [, name = '', href = ''] of text.matchAll(definition))
    links[name.toLowerCase().replaceAll(/\s+/g, ' ')] ??= { href, title: null };
  return links;
}
