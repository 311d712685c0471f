import { cleanText } from './clean.ts';

/** A URL, or the reason that it cannot be opened. */
export type Address = { readonly url: string } | { readonly problem: string };

/** Parses the address that a model gives. `example.com/page` means https; surrounding quotes are ignored. */
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
