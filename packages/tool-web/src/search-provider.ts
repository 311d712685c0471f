import type { Fetch } from '@utensil/core';
import type { Engine } from './engine.ts';

/** A hit of a search. Its texts are of strangers: the tool strips them of markup and shortens them. */
export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet?: string;
}

/** Circumstances of a search. */
export interface SearchContext {
  /** What reaches the web. */
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  /** How many results are wanted. */
  readonly limit: number;
  /** From 1. */
  readonly page: number;
  /** The user's key, where the provider `needs` one and the user has set one. */
  readonly key?: string;
  /** The address that the user has set, where the provider `needs` one. */
  readonly address?: string;
}

/** A service that searches the web. */
export interface SearchProvider extends Engine {
  /** The results, best first; none where there are none. To fail, throw. */
  search(query: string, context: SearchContext): Promise<readonly SearchResult[]>;
}
