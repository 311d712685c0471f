import type { Effect } from '../model/effect.ts';
import { foldCase, isWithin, resolvePath } from './paths.ts';

/** The directories whose files are run or obeyed later, by the app or by models: hooks, libraries, skills, personas. */
export const instructionDirectories: readonly string[] = ['/hooks', '/lib', '/share/lib', '/skills', '/minions'];

/**
 * The effect of a model's change at these paths: where the files of {@link instructionDirectories} are, it is destructive,
 * because what it leads to later cannot be undone. A path that none can be made of counts as one of them.
 *
 * @example
 * ```ts
 * import { effectAt } from '@utensil/core/files';
 *
 * effectAt('write', ['/notes/todo.md']); // 'write'
 * effectAt('write', ['/hooks/guard.js']); // 'destructive'
 * ```
 */
export function effectAt(effect: Effect, paths: readonly (string | null | undefined)[]): Effect {
  if (effect !== 'write') return effect;
  return paths.some((path) => typeof path === 'string' && path !== '' && leadsToInstructions(path))
    ? 'destructive'
    : effect;
}

/** A directory above them counts too: it can be moved to its place with what is in it. */
function leadsToInstructions(given: string): boolean {
  try {
    const path = foldCase(resolvePath(given.startsWith('/') ? given : `/${given}`));
    return instructionDirectories.some((directory) => isWithin(directory, path) || isWithin(path, directory));
  } catch {
    return true;
  }
}
