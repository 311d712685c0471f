import type { SearchProvider } from '../search-provider.ts';
import { askJson, listAt, searchLimits, textAt } from './ask-json.ts';

const most = 20;

/**
 * Tavily, https://docs.tavily.com. It has no pages: for later pages, more results are requested and the first ones
 * dropped.
 */
export const tavily: SearchProvider = {
  id: 'tavily',
  label: 'Tavily',
  needs: 'key',
  search: async (query, { fetch, signal, limit, page, key = '' }) => {
    const wanted = limit * page;
    if (wanted > most) return [];
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ query, max_results: wanted });
    const url = 'https://api.tavily.com/search';
    const answer = await askJson(url, { ...searchLimits, fetch, signal, method: 'POST', headers, body });
    return listAt(answer, 'results')
      .slice(wanted - limit)
      .map((result) => ({
        title: textAt(result, 'title'),
        url: textAt(result, 'url'),
        snippet: textAt(result, 'content'),
      }));
  },
};
