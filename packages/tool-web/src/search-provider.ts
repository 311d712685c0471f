import type { Fetch } from '@utensil/core';
import type { Engine } from './engine.ts';

/** A search result. Its texts are untrusted: the tool removes markup and shortens them. */
export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet?: string;
}

/** Context of a search. */
export interface SearchContext {
  /** Network access. */
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  /** Requested number of results. */
  readonly limit: number;
  /** From 1. */
  readonly page: number;
  /** The user's key, if the provider `needs` one and it is set. */
  readonly key?: string;
  /** The address set by the user, if the provider `needs` one. */
  readonly address?: string;
}

/** A web search service. */
export interface SearchProvider extends Engine {
  /** Searches the web. Resolves to results, best first; empty if there are none. Throws on failure. */
  search(query: string, context: SearchContext): Promise<readonly SearchResult[]>;
}
