import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUtensilError } from '../base/errors.ts';
import {
  ancestorsOf,
  comparePaths,
  foldCase,
  isAddressable,
  isWithin,
  joinPath,
  nameOf,
  parentOf,
  resolvePath,
} from './paths.ts';

/** Paths with difficult parts: dots, slashes, combining marks, capitals. */
const hardPath = fc
  .array(fc.constantFrom('/', '.', '..', '/../', 'a', 'B', 'é', 'e\u0301', '-', ' ', '😀', '%2e'))
  .map((parts) => `/${parts.join('')}`);
const anyPath = fc.oneof(
  hardPath,
  fc.string({ unit: 'binary' }).map((text) => `/${text}`),
);

/** The path, or the code that it is refused with. */
function outcomeOf(path: string): { readonly path?: string; readonly code?: string } {
  try {
    return { path: resolvePath(path) };
  } catch (error) {
    if (!isUtensilError(error)) throw error;
    return { code: error.code };
  }
}

describe('resolvePath', () => {
  it.each([
    ['/', '/'],
    ['/../d/a.json', '/d/a.json'],
    ['/d/../../../a', '/a'],
    ['//a///b/', '/a/b'],
    ['/./a/./b/.', '/a/b'],
    ['/a/..', '/'],
    ['/...', '/...'],
    ['/a..b/..c', '/a..b/..c'],
    ['/%2e%2e/%2f', '/%2e%2e/%2f'],
    ['/e\u0301', '/\u00e9'],
    ['/ a ', '/ a '],
    ['/__proto__', '/__proto__'],
    ['/👩\u200d💻', '/👩\u200d💻'],
  ])('[S0-21] takes %j for %j', (path, resolved) => {
    expect(resolvePath(path)).toBe(resolved);
  });

  it.each([
    ['', "EINVAL: invalid path, ''. It is empty; the root is '/'."],
    ['a/b', "EINVAL: invalid path, 'a/b'. Paths are absolute: did you mean '/a/b'?"],
    ['/a\\b', "EINVAL: invalid path, '/a\\b'. Names are separated by '/', and no name contains a backslash."],
    ['/a\0b', "EINVAL: invalid path, '/a\\u{0}b'. It contains U+0000, which no name may."],
    ['/a\nb', "EINVAL: invalid path, '/a\\u{a}b'. It contains U+000A, which no name may."],
    ['/\u0085', "EINVAL: invalid path, '/\\u{85}'. It contains U+0085, which no name may."],
    ['/\u202Egpj.exe', "EINVAL: invalid path, '/\\u{202e}gpj.exe'. It contains U+202E, which no name may."],
    ['/\u2028', "EINVAL: invalid path, '/\\u{2028}'. It contains U+2028, which no name may."],
    ['/\ud800', "EINVAL: invalid path, '/\\u{d800}'. It contains U+D800, which no name may."],
  ])('refuses %j', (path, message) => {
    expect(() => resolvePath(path)).toThrow(message);
  });

  it('counts bytes and levels after it has resolved the path', () => {
    const name = `${'é'.repeat(127)}x`;
    expect(outcomeOf(`/${name}`)).toEqual({ path: `/${name}` });
    expect(outcomeOf(`/${name}x`)).toEqual({ code: 'ENAMETOOLONG' });
    const long = `/${Array.from({ length: 4 }, () => 'x'.repeat(255)).join('/')}`;
    expect(outcomeOf(long)).toEqual({ path: long });
    expect(outcomeOf(`${long}/x`)).toEqual({ code: 'ENAMETOOLONG' });
    expect(outcomeOf('/a'.repeat(32))).toEqual({ path: '/a'.repeat(32) });
    expect(outcomeOf('/a'.repeat(33))).toEqual({ code: 'ENAMETOOLONG' });
    expect(outcomeOf('/a/..'.repeat(1000))).toEqual({ path: '/' });
  });

  it('[S0-21] never leaves the root, whatever the path', () => {
    const property = fc.property(anyPath, (path) => {
      const { path: resolved = '/', code = 'EINVAL' } = outcomeOf(path);
      expect(['EINVAL', 'ENAMETOOLONG']).toContain(code);
      expect(resolved).toMatch(/^\/(?!.*(?:^|\/)\.\.?(?:\/|$))(?!.*\/\/)(?:.*[^/])?$/su);
      expect(resolved.normalize('NFC')).toBe(resolved);
      expect(resolvePath(resolved)).toBe(resolved);
      expect(resolved === '/' || resolved.slice(1).split('/').every(isAddressable)).toBe(true);
    });
    expect(() => fc.assert(property, { numRuns: 1000 })).not.toThrow();
  });
});

describe('the parts of a path', () => {
  it('fit together again', () => {
    const property = fc.property(hardPath, (path) => {
      const { path: resolved = '/' } = outcomeOf(path);
      expect(resolved === '/' ? '/' : joinPath(parentOf(resolved), nameOf(resolved))).toBe(resolved);
      for (const ancestor of ancestorsOf(resolved)) expect(isWithin(ancestor, resolved)).toBe(true);
      expect(isWithin('/', resolved)).toBe(true);
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  it('are told apart from those of names that only begin alike', () => {
    expect(isWithin('/memories', '/memories-evil/x')).toBe(false);
    expect(ancestorsOf('/a/b/c')).toEqual(['/a', '/a/b']);
    expect(parentOf('/a')).toBe('/');
    expect(nameOf('/')).toBe('');
  });

  it.each(['', '.', '..', 'a/b', 'a\\b', 'e\u0301', 'a\nb', '\u202e', 'x'.repeat(256)])('are never %j', (name) => {
    expect(isAddressable(name)).toBe(false);
  });
});

describe('comparePaths', () => {
  it('puts what is in a directory behind it, before anything else', () => {
    const sorted = ['/', '/A', '/a', '/a/b', '/a/b/c', '/a/c', '/a b', '/a-b', '/a.b', '/ab', '/b'];
    expect(sorted.toReversed().toSorted(comparePaths)).toEqual(sorted);
  });

  it('is an order in which every tree is in one piece', () => {
    const paths = fc.array(
      hardPath.map((path) => outcomeOf(path).path ?? '/'),
      { minLength: 3, maxLength: 12 },
    );
    const property = fc.property(paths, (unsorted) => {
      const sorted = [...new Set(unsorted)].toSorted(comparePaths);
      for (const [index, path] of sorted.entries()) {
        const inside = sorted.flatMap((each, at) => (isWithin(path, each) ? [at] : []));
        expect(inside).toEqual(inside.map((_, offset) => index + offset));
      }
    });
    expect(() => fc.assert(property)).not.toThrow();
  });
});

describe('foldCase', () => {
  it.each([
    ['README', 'readme'],
    ['ÉTÉ', 'été'],
    ['ΣΊΣΥΦΟΣ', 'Σίσυφος'],
    ['\u212a', 'k'],
    ['E\u0301', '\u00e9'],
    ['ſ', 's'],
    ['𐐀', '𐐨'],
  ])('takes %s and %s for the same', (left, right) => {
    expect(foldCase(left)).toBe(foldCase(right));
  });

  it.each([
    ['straße', 'strasse'],
    ['kırık', 'kirik'],
    ['a', 'b'],
    ['１', '1'],
  ])('takes %s and %s for two', (left, right) => {
    expect(foldCase(left)).not.toBe(foldCase(right));
  });
});
