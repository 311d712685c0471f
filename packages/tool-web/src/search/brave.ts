import type { SearchProvider } from '../search-provider.ts';
import { askJson, listAt, searchLimits, textAt } from './ask-json.ts';

/** Brave Search, https://api-dashboard.search.brave.com/app/documentation/web-search */
export const brave: SearchProvider = {
  id: 'brave',
  label: 'Brave Search',
  needs: 'key',
  search: async (query, { fetch, signal, limit, page, key = '' }) => {
    const asked = `q=${encodeURIComponent(query)}&count=${limit}&offset=${page - 1}`;
    const headers = { 'x-subscription-token': key };
    const url = `https://api.search.brave.com/res/v1/web/search?${asked}`;
    const answer = await askJson(url, { ...searchLimits, fetch, signal, headers });
    return listAt(answer, 'web', 'results').map((result) => ({
      title: textAt(result, 'title'),
      url: textAt(result, 'url'),
      snippet: textAt(result, 'description'),
    }));
  },
};
