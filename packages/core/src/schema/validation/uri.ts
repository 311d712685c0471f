/** The five parts of a URI: https://www.rfc-editor.org/rfc/rfc3986#appendix-B */
const parts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/;

/** A URI reference without its fragment, and the fragment. */
export function splitFragment(reference: string): readonly [uri: string, fragment: string] {
  const at = reference.indexOf('#');
  return at === -1 ? [reference, ''] : [reference.slice(0, at), reference.slice(at + 1)];
}

/** Resolves a reference without a fragment against a base: https://www.rfc-editor.org/rfc/rfc3986#section-5.2.2 */
export function resolveUri(reference: string, base: string): string {
  if (reference === '') return base;
  const [, scheme, authority, path = '', query] = parts.exec(reference) ?? [];
  const [, baseScheme, baseAuthority, basePath = '', baseQuery] = parts.exec(base) ?? [];
  if (scheme !== undefined) return compose(scheme, authority, withoutDots(path), query);
  if (authority !== undefined) return compose(baseScheme, authority, withoutDots(path), query);
  if (path === '') return compose(baseScheme, baseAuthority, basePath, query ?? baseQuery);
  const folder = basePath.slice(0, basePath.lastIndexOf('/') + 1) || (baseAuthority === undefined ? '' : '/');
  return compose(baseScheme, baseAuthority, withoutDots(path.startsWith('/') ? path : folder + path), query);
}

function compose(...[scheme, authority, path, query]: readonly (string | undefined)[]): string {
  const start = `${scheme === undefined ? '' : `${scheme}:`}${authority === undefined ? '' : `//${authority}`}`;
  return `${start}${path ?? ''}${query === undefined ? '' : `?${query}`}`;
}

function withoutDots(path: string): string {
  if (!/(?:^|\/)\.\.?(?:\/|$)/.test(path)) return path;
  const kept: string[] = [];
  const segments = path.split('/');
  for (const segment of segments) {
    if (segment === '..') {
      if (kept.length > 1 || (kept.length === 1 && kept[0] !== '')) kept.pop();
    } else if (segment !== '.') kept.push(segment);
  }
  const last = segments.at(-1);
  return kept.join('/') + (last === '.' || last === '..' ? '/' : '');
}
