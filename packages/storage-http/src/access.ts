import { fileError } from '@utensil/core/files';
import type { EntryKey } from '@utensil/core/storage';

/** Permissions of a client. */
export interface Access {
  /** Accessible namespaces. Default: `['']`, the namespace of a storage that is served alone. */
  readonly namespaces?: readonly string[] | 'all';
  /** True to allow commits. Default: false. */
  readonly canWrite?: boolean;
  /** True to include the tree `records` (settings, threads, journals). Default: false. */
  readonly records?: boolean;
}

/** Returns the permissions of a request's sender, or a response to send instead. */
export type Authorize = (request: Request) => Access | Response | Promise<Access | Response>;

/** A token and its permissions. */
export interface BearerToken extends Access {
  /** At least 16 unguessable ASCII characters without spaces. */
  readonly token: string;
}

const goodToken = /^[\x21-\x7e]{16,}$/;

/**
 * Authorizes clients that send one of these tokens as `Authorization: Bearer …`. The time of a comparison reveals only
 * the length of the tokens.
 *
 * @example
 * ```ts
 * import { bearerTokens } from '@utensil/storage-http/server';
 *
 * const authorize = bearerTokens([
 *   { token: 'a-long-secret-of-the-editor', canWrite: true },
 *   { token: 'a-long-secret-of-the-reader' },
 * ]);
 * const answer = await authorize(new Request('https://example.com/storage/v1/list'));
 * console.log(answer instanceof Response && answer.status); // 401
 * ```
 */
export function bearerTokens(tokens: readonly BearerToken[]): Authorize {
  if (tokens.length === 0 || !tokens.every(({ token }) => goodToken.test(token)))
    throw fileError('EINVAL', '/', {
      hint: 'At least one token is required, each with 16 or more ASCII characters and no spaces.',
    });
  const known = tokens.map(({ token, ...access }) => ({ access, token: encoder.encode(token) }));

  return function bearerAccess(request) {
    const [, text = ''] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    const sent = encoder.encode(text);
    const [found] = known.filter((each) => isSame(each.token, sent));
    return found?.access ?? new Response(undefined, { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  };
}

const encoder = /* @__PURE__ */ new TextEncoder();

/** Compares all bytes in constant time. */
function isSame(token: Uint8Array, sent: Uint8Array): boolean {
  let difference = token.length ^ sent.length;
  for (let index = 0; index < token.length; index++) difference |= (token[index] ?? 0) ^ (sent[index] ?? 0);
  return difference === 0;
}

/** Throws `EACCES` unless all keys are accessible. */
export function refuseHidden({ records = false }: Access, keys: readonly EntryKey[]): void {
  const hidden = records ? undefined : keys.find(({ tree }) => tree === 'records');
  if (hidden !== undefined) throw fileError('EACCES', hidden.path, { hint: 'You have no access to the records.' });
}

/** Throws `EACCES` unless the namespace is accessible. */
export function refuseNamespace({ namespaces = [''] }: Access, namespace: string): void {
  const isOpen = namespaces === 'all' || (Array.isArray(namespaces) && namespaces.includes(namespace));
  if (!isOpen) throw noNamespace();
}

/** One error for both missing and inaccessible namespaces. */
export function noNamespace(): Error {
  return fileError('EACCES', '/', { hint: 'The namespace does not exist, or you have no access to it.' });
}
