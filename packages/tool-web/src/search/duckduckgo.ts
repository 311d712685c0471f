import { messageForModel, UtensilError } from '@utensil/core';
import { ask } from '../ask.ts';
import { decodeText } from '../charset.ts';
import { httpError } from '../http-error.ts';
import type { SearchContext, SearchProvider, SearchResult } from '../search-provider.ts';
import { askJson, listAt, searchLimits, textAt } from './ask-json.ts';
import type { PageClasses } from './duckduckgo-page.ts';

type Source = (query: string, context: SearchContext) => Promise<readonly SearchResult[]>;

const lite: Source = (query, context) =>
  askPage(`https://lite.duckduckgo.com/lite/?${pageOf(query, context)}`, context, {
    link: 'result-link',
    snippet: 'result-snippet',
    ad: 'result-sponsored',
  });

const html: Source = (query, context) =>
  askPage(`https://html.duckduckgo.com/html/?${pageOf(query, context)}`, context, {
    link: 'result__a',
    snippet: 'result__snippet',
    ad: 'result--ad',
  });

/** Instant answer: its abstract is the first result, its topics are the others. There is only one page. */
const instant: Source = async (query, { fetch, signal, page }) => {
  if (page > 1) return [];
  const asked = `https://api.duckduckgo.com/?q=${encodeURIComponent(query)}&format=json&no_html=1&skip_disambig=1`;
  const answer = await askJson(asked, { fetch, signal, timeoutMs: 8_000, maxBytes: 512_000 });
  const search = `https://duckduckgo.com/?q=${encodeURIComponent(query)}`;
  const abstract = {
    title: textAt(answer, 'Heading') || query,
    url: textAt(answer, 'AbstractURL') || search,
    snippet: textAt(answer, 'AbstractText') || textAt(answer, 'Answer') || textAt(answer, 'Definition'),
  };
  const topics = [...listAt(answer, 'Results'), ...listAt(answer, 'RelatedTopics')];
  const flat = topics.flatMap((topic) => [topic, ...listAt(topic, 'Topics')]).map(toTopic);
  return [
    ...(abstract.snippet === '' ? [] : [abstract]),
    ...flat.filter(({ title, url }) => title !== '' && url !== ''),
  ];
};

/** DuckDuckGo, which needs no key: the page for slow connections, the page without scripts, then instant answers. */
export const duckDuckGo: SearchProvider = {
  id: 'duckduckgo',
  label: 'DuckDuckGo',
  search: async (query, context) => {
    const problems: string[] = [];
    const attempt = async (source: Source): Promise<readonly SearchResult[] | undefined> => {
      try {
        return await source(query, context);
      } catch (error) {
        context.signal.throwIfAborted();
        problems.push(messageForModel(error));
        return undefined;
      }
    };
    const first = await attempt(lite);
    if (first !== undefined && first.some(({ snippet }) => snippet)) return first;
    const second = await attempt(html);
    if (first !== undefined && first.length > 0) return withSnippets(first, second ?? []);
    if (second !== undefined && second.length > 0) return second;
    const third = await attempt(instant);
    if (third !== undefined && third.length > 0) return third;
    if (first !== undefined || second !== undefined) return []; // a search without results; an empty instant answer proves nothing
    throw new UtensilError('fetch_failed', `Web search API unavailable: ${problems.join(' ')}`, { retryable: true });
  },
};

function withSnippets(results: readonly SearchResult[], others: readonly SearchResult[]): readonly SearchResult[] {
  const snippets = new Map(others.map(({ url, snippet }) => [url, snippet]));
  return results.map((result) => {
    const snippet = snippets.get(result.url);
    return snippet === undefined ? result : { ...result, snippet };
  });
}

function pageOf(query: string, { limit, page }: SearchContext): string {
  const from = (page - 1) * limit;
  return `q=${encodeURIComponent(query)}${from > 0 ? `&s=${from}&dc=${from + 1}` : ''}`;
}

async function askPage(
  url: string,
  { fetch, signal }: SearchContext,
  classes: PageClasses,
): Promise<readonly SearchResult[]> {
  const { response, bytes } = await ask(url, { ...searchLimits, fetch, signal, headers: { accept: 'text/html' } });
  if (!response.ok) throw httpError(response);
  const { resultsOf } = await import('./duckduckgo-page.ts');
  const results = resultsOf(decodeText(bytes, response.headers.get('content-type') ?? ''), classes);
  if (results === undefined || (response.status === 202 && results.length === 0))
    throw new UtensilError('fetch_failed', `${new URL(url).host} asks for a CAPTCHA.`);
  return results;
}

/** Maximum characters of a topic's title. */
const topicTitle = 120;

/** The text of a topic combines a title, a dash and a description. */
function toTopic(topic: unknown): SearchResult {
  const text = textAt(topic, 'Text');
  const [name = ''] = text.split(' - ', 1);
  const title = name.length > topicTitle ? `${name.slice(0, topicTitle - 1)}…` : name;
  return { title, url: textAt(topic, 'FirstURL'), snippet: text };
}
