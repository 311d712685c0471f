import { measure } from '../html/measure.ts';
import type { Measures } from '../html/measure.ts';
import { lineOf } from '../html/plain.ts';
import { parsePage } from '../html/tree.ts';
import type { Element } from '../html/tree.ts';
import type { SearchResult } from '../search-provider.ts';

/** Class names of the parts of a results page. */
export interface PageClasses {
  readonly link: string;
  readonly snippet: string;
  readonly ad: string;
}

/** Results of a DuckDuckGo page, without advertisements; undefined for a CAPTCHA page. */
export function resultsOf(html: string, { link, snippet, ad }: PageClasses): readonly SearchResult[] | undefined {
  const measures = measure(parsePage(html).body);
  const results: { title: string; url: string; snippet?: string }[] = [];
  for (const element of measures.elements) {
    const classes = (element.attributes.get('class') ?? '').split(/\s+/);
    if (classes.some((name) => name.startsWith('anomaly-modal'))) return undefined;
    if (classes.includes(link) && !isIn(element, ad, measures))
      results.push({ title: lineOf(element), url: unwrapped(element.attributes.get('href') ?? '') });
    const last = results.at(-1);
    if (classes.includes(snippet) && !isIn(element, ad, measures) && last !== undefined)
      last.snippet ??= lineOf(element);
  }
  return results.filter(({ url }) => !isAdvertisement(url));
}

function isIn(element: Element, name: string, { parentOf }: Measures): boolean {
  for (let above: Element | undefined = element; above !== undefined; above = parentOf(above))
    if ((above.attributes.get('class') ?? '').split(/\s+/).includes(name)) return true;
  return false;
}

const home = 'https://duckduckgo.com/';

/** Target of a link that goes through DuckDuckGo's redirect. */
function unwrapped(href: string): string {
  if (!URL.canParse(href, home)) return href;
  const { hostname, pathname, search, href: whole } = new URL(href, home);
  const target = /[?&]uddg=([^&]*)/.exec(search)?.[1];
  if (!isHome(hostname) || !pathname.startsWith('/l/') || target === undefined) return whole;
  try {
    return decodeURIComponent(target.replaceAll('+', ' '));
  } catch {
    return whole;
  }
}

function isAdvertisement(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  return isHome(hostname) && pathname === '/y.js';
}

function isHome(hostname: string): boolean {
  return hostname === 'duckduckgo.com' || hostname.endsWith('.duckduckgo.com');
}
