import type { Address } from './address.ts';

/**
 * True if the text of a link, as it is seen, names another host than the link leads to, or if that host is written with
 * non-ASCII letters. A text that only looks like a host counts as one: the cost is no more than a shown host.
 */
export function isMisleading(text: string, { place }: Address): boolean {
  if (place.includes('xn--')) return true;
  const at = place.lastIndexOf('@');
  const own = withoutPort(place.slice(at + 1));
  return namesOther(readable(text), at < 0 ? { host: own } : { host: own, mail: place.toLowerCase() });
}

interface Own {
  readonly host: string;
  /** The whole address of a `mailto:` link. */
  readonly mail?: string;
}

/** Text as it looks: compatibility characters normalized, and narrow or invisible characters removed. */
function readable(text: string): string {
  return text
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}\u2000-\u200a\u202f\u205f]/gu, '')
    .normalize('NFKC')
    .replaceAll(/[。‧∙⋅۔ꓸ]/g, '.') // dots of host names, and their lookalikes
    .toLowerCase();
}

const piece = /[\p{L}\p{N}\p{M}._-]+/gu;

function namesOther(text: string, { host, mail }: Own): boolean {
  let over = 0; // end of an address with its own host: the rest is its path
  for (const { index, [0]: found } of text.matchAll(piece)) {
    if (index < over) continue;
    const end = index + found.length;
    const isAuthority = text.slice(Math.max(0, index - 3), index) === '://';
    for (const name of found.split(/\.{2,}/).map(withoutEdges)) {
      if (!isAuthority && !isHost(name)) continue;
      if (withoutWww(name) !== host || !standsAlone({ text, name, index, end }, mail)) return true;
      over = endOfAddress(text, end);
    }
  }
  return false;
}

function withoutEdges(name: string): string {
  return name.replace(/^[._-]+/, '').replace(/[._-]+$/, '');
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}

function withoutPort(place: string): string {
  return withoutWww(place.toLowerCase().replace(/:\d+$/, ''));
}

/** File extensions that are not top-level domains. */
const fileEndings =
  /\.(?:js|mjs|cjs|jsx|ts|tsx|json|html?|css|txt|csv|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|xml|ya?ml|toml|lock)$/;

/** True if a name looks like a host: `bank.example`, `1.2.3.4`; not `e.g`, `1.5` or `notes.txt`. */
function isHost(name: string): boolean {
  const labels = name.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length < 2 || labels.includes('')) return false;
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)) return true;
  if (labels.length === 2 && fileEndings.test(name)) return false;
  return /^\p{L}[\p{L}\p{N}\p{M}-]+$/u.test(last) || /^[^\p{ASCII}\p{N}]/u.test(last);
}

/** A name within a text, and the bounds of the piece that contains it. */
interface Named {
  readonly text: string;
  readonly name: string;
  readonly index: number;
  readonly end: number;
}

/** False if the surrounding text turns the host into another name: `my‐bank.example`, `mail@bank.example`. */
function standsAlone({ text, name, index, end }: Named, mail: string | undefined): boolean {
  const before = text.slice(Math.max(0, index - 320), index);
  if (mail !== undefined && before.endsWith('@')) return `${lastWord(before)}${name}` === mail;
  return /(?:^|[\s("'[{</:,;|=>])$/.test(before) && /^(?:$|[\s)"'\]}>,;:!?/\\#|])/.test(text.charAt(end));
}

function lastWord(text: string): string {
  return /[^\s("'[{<,;|=>:]*$/.exec(text)?.[0] ?? '';
}

/** End of the address that contains this host. */
function endOfAddress(text: string, from: number): number {
  const isPath = /^(?::\d{1,5})?[/\\?#]/.test(text.slice(from, from + 8));
  if (!isPath) return from;
  const space = text.slice(from).search(/\s/);
  return space < 0 ? text.length : from + space;
}
