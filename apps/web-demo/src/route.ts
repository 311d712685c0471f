import { useSyncExternalStore } from 'react';

/** Pages of the app. */
export const pages = ['chat', 'files', 'tools', 'models'] as const;
export type Page = (typeof pages)[number];

/** A route, from the address: `#/{page}/{project}/{conversation}`. */
export interface Route {
  readonly page: Page;
  readonly project?: string;
  readonly conversation?: string;
}

/** Address of a route. */
export function hrefOf({ page, project, conversation }: Route): string {
  const names = [page, project, conversation].filter((name) => name !== undefined);
  return `#/${names.map(encodeURIComponent).join('/')}`;
}

/** Parses an address. Missing or invalid parts default to the chat. */
export function routeOf(hash: string): Route {
  const [named = '', project, conversation] = hash.replace(/^#\/?/, '').split('/').map(decoded);
  const page = pages.find((page) => page === named) ?? 'chat';
  return { page, ...(project && { project }), ...(conversation && { conversation }) };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return '';
  }
}

/** The current route. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return routeOf(hash);
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

/** Navigates to a route. */
export function go(route: Route): void {
  location.hash = hrefOf(route);
}
