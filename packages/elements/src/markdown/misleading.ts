import type { Address } from './address.ts';

/**
 * Whether a text, as it is seen, names another place than the one that it leads to, or the place is written in letters of
 * elsewhere. What only looks like a host counts as one: all that it costs is that the place is shown.
 */
export function isMisleading(text: string, { place }: Address): boolean {
  if (place.includes('xn--')) return true;
  const at = place.lastIndexOf('@');
  const own = withoutPort(place.slice(at + 1));
  return namesOther(readable(text), at < 0 ? { host: own } : { host: own, mail: place.toLowerCase() });
}

interface Own {
  readonly host: string;
  /** The whole address, if it is one of a mail. */
  readonly mail?: string;
}

/** A text as the eye reads it: signs of compatibility as plain ones, and without what has no width or hardly any. */
function readable(text: string): string {
  return text
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}\u2000-\u200a\u202f\u205f]/gu, '')
    .normalize('NFKC')
    .replaceAll(/[。‧∙⋅۔ꓸ]/g, '.') // dots of addresses, or what cannot be told from one
    .toLowerCase();
}

const piece = /[\p{L}\p{N}\p{M}._-]+/gu;

function namesOther(text: string, { host, mail }: Own): boolean {
  let over = 0; // an address that names the own host ends here: what is left of it is its path
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

/** Endings of files that are no domains. */
const fileEndings =
  /\.(?:js|mjs|cjs|jsx|ts|tsx|json|html?|css|txt|csv|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|xml|ya?ml|toml|lock)$/;

/** Whether a name looks like a host: `bank.example`, `1.2.3.4`; not `e.g`, `1.5` or `notes.txt`. */
function isHost(name: string): boolean {
  const labels = name.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length < 2 || labels.includes('')) return false;
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)) return true;
  if (labels.length === 2 && fileEndings.test(name)) return false;
  return /^\p{L}[\p{L}\p{N}\p{M}-]+$/u.test(last) || /^[^\p{ASCII}\p{N}]/u.test(last);
}

/** A name within a text: where the piece that it is in begins and ends. */
interface Named {
  readonly text: string;
  readonly name: string;
  readonly index: number;
  readonly end: number;
}

/** Whether nothing that stands at the own name makes another one of it: `my‐bank.example`, `mail@bank.example`. */
function standsAlone({ text, name, index, end }: Named, mail: string | undefined): boolean {
  const before = text.slice(Math.max(0, index - 320), index);
  if (mail !== undefined && before.endsWith('@')) return `${lastWord(before)}${name}` === mail;
  return /(?:^|[\s("'[{</:,;|=>])$/.test(before) && /^(?:$|[\s)"'\]}>,;:!?/\\#|])/.test(text.charAt(end));
}

function lastWord(text: string): string {
  return /[^\s("'[{<,;|=>:]*$/.exec(text)?.[0] ?? '';
}

/** Where an address ends whose host ends here. */
function endOfAddress(text: string, from: number): number {
  const isPath = /^(?::\d{1,5})?[/\\?#]/.test(text.slice(from, from + 8));
  if (!isPath) return from;
  const space = text.slice(from).search(/\s/);
  return space < 0 ? text.length : from + space;
}
