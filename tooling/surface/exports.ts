// Resolves the exports of declaration modules to their declarations.

import { isAbsolute } from 'node:path';
import { type Declarations, readDeclarations, type Reference } from './declarations.ts';

export type ReadModule = (path: string) => Declarations;

/** Parses each module once. */
export function moduleReader(readText: (path: string) => string): ReadModule {
  const known = new Map<string, Declarations>();
  return (path) => {
    const found = known.get(path) ?? readDeclarations(path, readText(path));
    known.set(path, found);
    return found;
  };
}

/** True for a name of another package. */
export function isForeign({ from }: Reference): boolean {
  return !isAbsolute(from);
}

/** An export, with the location of its declaration. */
export interface Export {
  readonly target: Reference;
  readonly isType: boolean;
}

/** Exports of a module, each with the location of its declaration. */
export function exportsOf(path: string, read: ReadModule): Map<string, Export> {
  const { exports, stars } = read(path);
  const found = new Map<string, Export>();
  for (const star of stars) {
    if (!isAbsolute(star))
      throw new Error(`${path}: export * from another package cannot be pinned: name what it exports.`);
    for (const [name, each] of exportsOf(star, read)) found.set(name, each);
  }
  for (const [name, each] of exports) {
    const { target, isType } = resolveExport(each, read);
    found.set(name, { target, isType: each.isType || isType });
  }
  return found;
}

/** Follows a name to its declaration. */
export function resolveExport(reference: Reference, read: ReadModule): Export {
  if (isForeign(reference) || reference.name === '*') return { target: reference, isType: false };
  const { locals, imports, exports, stars, path } = read(reference.from);
  if (locals.has(reference.name)) return { target: reference, isType: false };
  const next = exports.get(reference.name);
  if (next !== undefined && (next.from !== path || next.name !== reference.name)) {
    const { target, isType } = resolveExport(next, read);
    return { target, isType: next.isType || isType };
  }
  const imported = imports.get(reference.name);
  if (imported !== undefined) return resolveExport(imported, read);
  for (const star of stars) {
    const found = exportsOf(star, read).get(reference.name);
    if (found !== undefined) return found;
  }
  throw new Error(`${path} declares no ${reference.name}.`);
}
