import { isUtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { StorageEntry } from '@utensil/core/storage';
import { header, statuses, version } from './protocol.ts';

/** Creates a JSON response. */
export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });
}

/** Creates an error response that reveals nothing about the host. */
export function refusal(error: unknown, status?: number): Response {
  const known = isUtensilError(error) ? error : fileError('EIO', '/', { hint: 'The storage failed.' });
  const { code, message, path = '/', retryable } = known;
  const body = { code, message, path, ...(retryable ? { retryable } : {}) };
  return json(body, status ?? statuses[code] ?? 422);
}

/** Headers that encode the entry of a file. */
export function entryHeaders({ etag, size, modifiedAt }: StorageEntry): Record<string, string> {
  return { etag: `"${encodeURIComponent(etag)}"`, [header.size]: `${size}`, [header.modifiedAt]: `${modifiedAt}` };
}

const sealed: Readonly<Record<string, string>> = {
  [header.version]: version,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};

const exposed = ['content-range', 'etag', header.version, header.size, header.modifiedAt, header.mark];

/** Adds the headers common to all responses: no caching, no execution, CORS for the given origins only. */
export function seal(response: Response, request: Request, origins: readonly string[]): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(sealed)) headers.set(name, value);
  const origin = request.headers.get('origin');
  if (origins.length > 0) headers.append('vary', 'origin');
  if (origin !== null && origins.includes(origin)) {
    headers.set('access-control-allow-origin', origin);
    headers.set('access-control-expose-headers', exposed.join(', '));
  }
  return new Response(response.body, { status: response.status, headers });
}

/** Response to a CORS preflight. */
export function preflight(): Response {
  return new Response(undefined, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': ['authorization', 'content-type', 'range', header.key, header.mark].join(', '),
      'access-control-max-age': '600',
    },
  });
}
