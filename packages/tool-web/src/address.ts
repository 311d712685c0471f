import { cleanText } from './clean.ts';

/** An address, or why it is none that can be opened. */
export type Address = { readonly url: string } | { readonly problem: string };

/** The address that a model means. `example.com/page` is one of https; quotes around it are none of it. */
export function addressIn(given: string): Address {
  const text = cleanText(given)
    .trim()
    .replace(/^["'`<](.*)["'`>]$/s, '$1')
    .replace(/^\/\/(?=[\w[])/, 'https://');
  if (text === '') return { problem: 'missing_url: say which address to open.' };
  const isBare = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)/.test(text);
  const address = isBare ? `https://${text}` : text;
  if (!URL.canParse(address))
    return { problem: 'Invalid URL format (invalid_url): an address is like https://example.com/page.' };
  const { protocol, href } = new URL(address);
  if (protocol === 'http:' || protocol === 'https:') return { url: href };
  return { problem: `unsupported_protocol: only http and https can be opened, not ${protocol}` };
}
