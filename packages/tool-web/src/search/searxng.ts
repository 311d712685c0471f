import { UtensilError } from '@utensil/core';
import { webAddress } from '../clean.ts';
import type { SearchProvider } from '../search-provider.ts';
import { askJson, listAt, searchLimits, textAt } from './ask-json.ts';

/** A SearXNG instance, which must enable the format `json`: https://docs.searxng.org/dev/search_api.html */
export const searxng: SearchProvider = {
  id: 'searxng',
  label: 'SearXNG',
  needs: 'address',
  search: async (query, { fetch, signal, page, address = '' }) => {
    const base = webAddress(address);
    if (base === undefined)
      throw new UtensilError(
        'invalid_option',
        'The address of SearXNG is invalid: it must begin with https:// or http://.',
      );
    const asked = `q=${encodeURIComponent(query)}&format=json&pageno=${page}`;
    const url = new URL(`search?${asked}`, base.endsWith('/') ? base : `${base}/`).href;
    const answer = await askJson(url, { ...searchLimits, fetch, signal });
    return listAt(answer, 'results').map((result) => ({
      title: textAt(result, 'title'),
      url: textAt(result, 'url'),
      snippet: textAt(result, 'content'),
    }));
  },
};
