import { matchGlob } from '../files/glob/glob.ts';
import { ancestorsOf, isWithin, resolvePath } from '../files/paths.ts';
import { anyOf } from './matcher.ts';
import type { Match, Matcher, Strictness } from './matcher.ts';

/** Characters that some disks ignore in names. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** Trailing characters that some disks drop. Scanned once per run. */
const trailing = /(?<![. ])[. ]+(?=\/|$)/g;

/**
 * Matches project paths. Both spellings of `..` are resolved first. If not strict, it ignores case, width and
 * everything that disks ignore, and also matches everything below a matching path.
 *
 * @throws `EINVAL` if a pattern is not a glob.
 */
export function pathMatcher(pattern: string, { isStrict }: Strictness): Matcher {
  if (!isStrict) return broadMatcher(pattern);
  const fits = matchGlob(pattern);
  return (value) => {
    const path = isWithinRoot(value) ? resolved(value) : undefined;
    if (path === undefined) return 'unknown';
    return fits(path) ? 'yes' : 'no';
  };
}

function broadMatcher(pattern: string): Matcher {
  const folder = pattern.replace(/\/(?:\*\*)?\/*$/, '');
  const patterns =
    folder === '' || folder === '**' ? [pattern] : [pattern, folder.includes('/') ? folder : `/${folder}`];
  const globs = patterns.map((each) => matchGlob(each.normalize('NFKC'), { ignoreCase: true }));
  const fixed = fixedPart(pattern);

  function matchOne(path: string | undefined, isChange: boolean): Match {
    if (path === undefined) return 'unknown';
    if ([...ancestorsOf(path), path].some((each) => globs.some((fits) => fits(each)))) return 'yes';
    return isChange && fixed !== undefined && isWithin(fold(path), fixed) ? 'unknown' : 'no'; // may affect everything below
  }

  return (value, { effects }) =>
    anyOf([value, fold(value)].map((each) => matchOne(resolved(each), effects !== 'read')));
}

function fold(path: string): string {
  return path.normalize('NFKC').replace(ignorable, '').replace(trailing, keepDots).toLowerCase();
}

function keepDots(end: string, at: number, path: string): string {
  const isName = at > 0 && path[at - 1] !== '/';
  return isName ? '' : end; // `..` is not a name
}

/** The folder that contains all paths of a pattern; undefined if it may match anywhere. */
function fixedPart(pattern: string): string | undefined {
  if (!pattern.includes('/')) return undefined;
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
  const special = names.findIndex((name) => /[*?[{]/.test(name));
  const fixed = special === -1 ? names : names.slice(0, special);
  return fixed.length === 0 ? undefined : fold(`/${fixed.join('/')}`);
}

function resolved(path: string): string | undefined {
  try {
    return resolvePath(path.startsWith('/') ? path : `/${path}`);
  } catch {
    return undefined;
  }
}

/** True if a relative path cannot leave its starting folder, whichever that is. */
function isWithinRoot(path: string): boolean {
  let depth = 0;
  for (const name of path.startsWith('/') ? [] : path.split('/')) {
    depth += name === '..' ? -1 : name === '' || name === '.' ? 0 : 1;
    if (depth < 0) return false;
  }
  return true;
}
