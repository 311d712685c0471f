// Caches the app's files, so that it opens offline. Responses of other servers are never cached, and requests to models
// are not inspected.

declare const FILES_OF_THE_APP: readonly string[];
declare const VERSION_OF_THE_APP: string;

interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const cacheName = `utensil-${VERSION_OF_THE_APP}`;
const ours = new Set<string>(FILES_OF_THE_APP);

async function keepAll(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll([...ours]);
}

async function dropOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)));
}

async function kept(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(path)) ?? fetch(request);
}

self.addEventListener('install', (event) => (event as WaitingEvent).waitUntil(keepAll()));
self.addEventListener('activate', (event) => (event as WaitingEvent).waitUntil(dropOthers()));
self.addEventListener('fetch', (event) => {
  const { request, respondWith } = event as RequestEvent;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (ours.has(url.pathname)) respondWith.call(event, kept(url.pathname, request));
});
