import { comparePaths } from '@utensil/core/storage';
import type { ListedEntry, ListQuery } from '@utensil/core/storage';

/** Listings that may be continued, by their latest pages. */
export interface Walks {
  /** Start of the walk that a query continues; undefined if it starts one. */
  find(query: ListQuery): number | undefined;
  /** Records a page of a walk. */
  remember(query: ListQuery, page: readonly ListedEntry[], since: number): void;
}

interface Page {
  readonly query: ListQuery;
  readonly first: string;
  readonly last: string;
  readonly since: number;
}

/** Maximum number of pages to remember. */
const maxPages = 16;

/** Creates an empty list of walks. */
export function createWalks(): Walks {
  let pages: readonly Page[] = [];
  return {
    find: (query) => pages.find((page) => continues(query, page))?.since,
    remember(query, page, since) {
      const [first, last] = [page[0]?.path, page.at(-1)?.path];
      if (first === undefined || last === undefined) return;
      pages = [{ query, first, last, since }, ...pages].slice(0, maxPages);
    },
  };
}

/** True if a query asks for the entries after one on the page. */
function continues({ tree, path, depth, after }: ListQuery, { query, first, last }: Page): boolean {
  if (after === undefined || tree !== query.tree || path !== query.path || depth !== query.depth) return false;
  return comparePaths(first, after) <= 0 && comparePaths(after, last) <= 0;
}
