/** Where a link leads. */
export interface Address {
  readonly href: string;
  /** For people: the host, or the address of a mail. Names in other alphabets as they are on the wire. */
  readonly place: string;
}

const protocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
const shownImages = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/;

/** A link that may be followed: on the web, or to write a mail. Anything else is none. */
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

/** A link that may be followed and leads to the web. */
export function webAddressOf(href: string): Address | undefined {
  const address = addressOf(href);
  return address?.href.startsWith('mailto:') ? undefined : address;
}

function decodedPath({ pathname }: URL): string {
  return pathname.slice(0, 200);
}

/** Whether an image shows itself without asking anybody. */
export function isOwnImage(source: string): boolean {
  return shownImages.test(source);
}
