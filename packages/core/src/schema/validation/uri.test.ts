import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { resolveUri } from './uri.ts';

/** https://www.rfc-editor.org/rfc/rfc3986#section-5.4, with the base of that section. */
const rows: readonly (readonly [reference: string, resolved: string])[] = [
  ['g:h', 'g:h'],
  ['g', 'http://a/b/c/g'],
  ['./g', 'http://a/b/c/g'],
  ['g/', 'http://a/b/c/g/'],
  ['/g', 'http://a/g'],
  ['//g', 'http://g'],
  ['?y', 'http://a/b/c/d;p?y'],
  ['g?y', 'http://a/b/c/g?y'],
  ['', 'http://a/b/c/d;p?q'],
  ['.', 'http://a/b/c/'],
  ['./', 'http://a/b/c/'],
  ['..', 'http://a/b/'],
  ['../g', 'http://a/b/g'],
  ['../..', 'http://a/'],
  ['../../g', 'http://a/g'],
  ['../../../g', 'http://a/g'],
  ['/./g', 'http://a/g'],
  ['/../g', 'http://a/g'],
  ['g.', 'http://a/b/c/g.'],
  ['..g', 'http://a/b/c/..g'],
  ['./g/.', 'http://a/b/c/g/'],
  ['g/../h', 'http://a/b/c/h'],
];

it.each(rows)('resolves %j as RFC 3986 does', (reference, resolved) => {
  expect(resolveUri(reference, 'http://a/b/c/d;p?q')).toBe(resolved);
});

it('resolves paths as the platform does', () => {
  const path = fc.array(fc.constantFrom('a', 'b', '.', '..', ''), { maxLength: 5 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(path, path, (base, reference) => {
      fc.pre(!reference.startsWith('//') && reference !== '');
      const whole = new URL(`/${base.replace(/^\/+/, '')}`, 'http://a').href;
      expect(resolveUri(reference, whole)).toBe(new URL(reference, whole).href);
    }),
    { numRuns: 1000 },
  );
});
