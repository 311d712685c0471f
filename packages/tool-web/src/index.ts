export { openLinkTool } from './open-link.ts';
export { brave } from './search/brave.ts';
export { duckDuckGo } from './search/duckduckgo.ts';
export { searxng } from './search/searxng.ts';
export { tavily } from './search/tavily.ts';
export type { SearchContext, SearchProvider, SearchResult } from './search-provider.ts';
export { webSearch, webSearchTool } from './web-search.ts';
