/** Target of a link. */
export interface Address {
  readonly href: string;
  /** For people: the host, or the mail address. Internationalized names in Punycode. */
  readonly place: string;
}

const protocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
const shownImages = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/;

/** A link that may be followed: on the web, or to mail; undefined for others. */
export function addressOf(href: string): Address | undefined {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href.trim())) return undefined;
  try {
    const url = new URL(href.trim());
    if (!protocols.has(url.protocol) || url.username !== '' || url.password !== '') return undefined;
    return { href: url.href, place: url.protocol === 'mailto:' ? decodedPath(url) : url.host };
  } catch {
    return undefined;
  }
}

/** A web link that may be followed. */
export function webAddressOf(href: string): Address | undefined {
  const address = addressOf(href);
  return address?.href.startsWith('mailto:') ? undefined : address;
}

function decodedPath({ pathname }: URL): string {
  return pathname.slice(0, 200);
}

/** True if an image is embedded and needs no request. */
export function isOwnImage(source: string): boolean {
  return shownImages.test(source);
}
