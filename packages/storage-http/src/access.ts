import { fileError } from '@utensil/core/files';
import type { EntryKey } from '@utensil/core/storage';

/** What somebody may do. */
export interface Access {
  /** The namespaces that may be reached; default `['']`, that of a storage that is served alone. */
  readonly namespaces?: readonly string[] | 'all';
  /** True if commits are taken; default false. */
  readonly canWrite?: boolean;
  /** True if the tree `records` (settings, threads, journals) may be reached too; default false. */
  readonly records?: boolean;
}

/** Decides what the sender of a request may do, or answers in the place of the storage. */
export type Authorize = (request: Request) => Access | Response | Promise<Access | Response>;

/** What the holder of a token may do. */
export interface BearerToken extends Access {
  /** At least 16 characters of ASCII without spaces, which nobody can guess. */
  readonly token: string;
}

const goodToken = /^[\x21-\x7e]{16,}$/;

/**
 * Lets in whoever sends one of these tokens as `Authorization: Bearer …`. How long a comparison takes says
 * nothing of them but their length.
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
      hint: 'There is at least one token, and each has 16 or more characters of ASCII without spaces.',
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

/** Looks at every byte of the token, whatever it finds. */
function isSame(token: Uint8Array, sent: Uint8Array): boolean {
  let difference = token.length ^ sent.length;
  for (let index = 0; index < token.length; index++) difference |= (token[index] ?? 0) ^ (sent[index] ?? 0);
  return difference === 0;
}

/** Throws `EACCES` unless each of these keys may be reached. */
export function refuseHidden({ records = false }: Access, keys: readonly EntryKey[]): void {
  const hidden = records ? undefined : keys.find(({ tree }) => tree === 'records');
  if (hidden !== undefined) throw fileError('EACCES', hidden.path, { hint: 'The records are not for you.' });
}

/** Throws `EACCES` unless the namespace may be reached. */
export function refuseNamespace({ namespaces = [''] }: Access, namespace: string): void {
  const isOpen = namespaces === 'all' || (Array.isArray(namespaces) && namespaces.includes(namespace));
  if (!isOpen) throw noNamespace();
}

/** The same for one that does not exist, and for one of somebody else. */
export function noNamespace(): Error {
  return fileError('EACCES', '/', { hint: 'There is no such namespace, or it is not for you.' });
}
