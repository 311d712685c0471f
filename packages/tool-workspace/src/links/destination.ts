import { parentOf, resolvePath } from '@utensil/core/files';

/** Destination of a Markdown link to a file. */
export interface Destination {
  /** Without escapes, entities and percent encoding. */
  readonly path: string;
  /** Its query and anchor, as written. */
  readonly suffix: string;
  /** True for `<my notes.md>`. */
  readonly isBracketed: boolean;
  /** True if characters beyond ASCII are percent-encoded. */
  readonly isAscii: boolean;
}

const token =
  /\\(?<escaped>[!-/:-@[-`{-~])|&(?:#x(?<hex>[\da-f]{1,6})|#(?<decimal>\d{1,7})|(?<name>[a-z][a-z\d]*));|[^]/giu;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Reads a destination. Undefined for a web address, for an anchor alone, and for invalid encoding. */
export function readDestination(written: string): Destination | undefined {
  const isBracketed = written.startsWith('<') && written.endsWith('>');
  const raw = isBracketed ? written.slice(1, -1) : written;
  let path = '';
  let suffix = '';
  for (const { 0: source, index, groups = {} } of raw.matchAll(token)) {
    const character = characterOf(source, groups);
    if (character === undefined) return undefined;
    if (character === '#' || character === '?') {
      suffix = raw.slice(index);
      break;
    }
    path += character;
  }
  if (path === '' || path.startsWith('//') || /^[a-z][a-z\d+.-]*:/i.test(path)) return undefined;
  try {
    return { path: decodeURIComponent(path), suffix, isBracketed, isAscii: /%[89a-f][\da-f]/i.test(path) };
  } catch {
    return undefined;
  }
}

function characterOf(source: string, { escaped, hex, decimal, name }: Readonly<Record<string, string | undefined>>) {
  if (escaped !== undefined) return escaped;
  if (name !== undefined) return entities[name];
  const code = hex !== undefined ? Number.parseInt(hex, 16) : decimal !== undefined ? Number(decimal) : undefined;
  if (code === undefined) return source;
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** The path to which a destination leads from a note. */
export function pathOf({ path }: Destination, note: string): string | undefined {
  try {
    return resolvePath(path.startsWith('/') ? path : `${parentOf(note)}/${path}`);
  } catch {
    return undefined; // such as one with a backslash
  }
}

/** Characters that would end or change a destination. */
const special = { bare: /[\s%#?<>()[\]\\`|&]/gu, bracketed: /[%#?<>\\`|&]/gu };

/** Writes a destination in the style of a former one, from a note to a path. */
export function writeDestination(to: string, note: string, former: Destination): string {
  const isAbsolute = former.path.startsWith('/');
  let path = isAbsolute ? to : relativePath(parentOf(note), to);
  if (!isAbsolute && (former.path.startsWith('./') || /^[^/]*:/.test(path)) && !path.startsWith('.'))
    path = `./${path}`;
  if (former.path.endsWith('/') && !path.endsWith('/')) path += '/';
  let encoded = path.replace(special[former.isBracketed ? 'bracketed' : 'bare'], percentEncoded);
  if (former.isAscii) encoded = encoded.replace(/[^\p{ASCII}]+/gu, encodeURIComponent);
  return former.isBracketed ? `<${encoded}${former.suffix}>` : encoded + former.suffix;
}

function percentEncoded(character: string): string {
  const encoded = encodeURIComponent(character);
  return encoded === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encoded;
}

function relativePath(directory: string, path: string): string {
  const [from, to] = [directory, path].map((each) => each.split('/').filter(Boolean)) as [string[], string[]];
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/') || '.';
}
