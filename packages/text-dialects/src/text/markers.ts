import { getOrInsert } from '@utensil/core/provider';
import { more, no, pieceEnd, pieces } from './lookahead.ts';
import type { Tag, View } from './lookahead.ts';

/** A piece of templates that begin alike: it is compared once for all of them. */
interface Branch {
  readonly piece: string;
  readonly next: Branch[];
  /** The first template with this beginning. */
  readonly first: number;
  /** The template that ends here. */
  template?: number;
}

const known = new WeakMap<readonly string[], readonly Branch[]>();

/** Text that was found up to a branch. */
interface Begun {
  readonly branch: Branch;
  readonly at: number;
  readonly name: string;
}

/** Finds a marker at an index. Asking again at the same index, with more text, examines only the new characters. */
export type MarkerFinder = (view: View, at: number) => Tag | typeof no | typeof more;

/** Finds the first of these templates, unless one before it may still come. */
export function createMarkerFinder(templates: readonly string[]): MarkerFinder {
  const roots = getOrInsert(known, templates, () => branchesOf(templates));
  let open: Begun[] | undefined; // where more text may decide
  let found: Tag | undefined;
  let foundIn = templates.length;

  function walk(view: View, begun: Begun, isOpen: Begun[]): void {
    const { piece, next, first, template } = begun.branch;
    if (first > foundIn) return;
    const at = pieceEnd(view, begun.at, piece);
    if (at === more) isOpen.push(begun);
    if (at < 0) return;
    const name = piece === '{name}' ? view.text.slice(begun.at, at) : begun.name;
    if (template !== undefined && template < foundIn) [found, foundIn] = [{ name, end: at }, template];
    for (const branch of next) walk(view, { branch, at, name }, isOpen);
  }

  return (view, at) => {
    const begun = open ?? roots.map((branch) => ({ branch, at, name: '' }));
    open = [];
    for (const each of begun) walk(view, each, open);
    if (open.some(({ branch }) => branch.first < foundIn)) return more;
    return found ?? no;
  };
}

/** The first of these templates that is at an index, unless one before it may still come. */
export function markerAt(templates: readonly string[], view: View, at: number): ReturnType<MarkerFinder> {
  return createMarkerFinder(templates)(view, at);
}

function branchesOf(templates: readonly string[]): readonly Branch[] {
  const roots: Branch[] = [];
  for (const [index, template] of templates.entries()) {
    let level = roots;
    let last: Branch | undefined;
    for (const piece of pieces(template)) {
      const same = level.find((each) => each.piece === piece);
      last = same ?? { piece, next: [], first: index };
      if (same === undefined) level.push(last);
      level = last.next;
    }
    if (last !== undefined) last.template ??= index;
  }
  return roots;
}
