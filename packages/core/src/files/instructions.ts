import type { Effect } from '../model/effect.ts';
import { foldCase, isWithin, resolvePath } from './paths.ts';

/**
 * Directories whose files are executed or obeyed later, by the app or by models: hooks, libraries, skills, personas.
 */
export const instructionDirectories: readonly string[] = ['/hooks', '/lib', '/share/lib', '/skills', '/minions'];

/**
 * Effect of a model's change at these paths: `destructive` if any is in {@link instructionDirectories}, because its
 * later consequences cannot be undone. A malformed path counts as one of them.
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

/** Parent directories count too: they can be moved into place with their contents. */
function leadsToInstructions(given: string): boolean {
  try {
    const path = foldCase(resolvePath(given.startsWith('/') ? given : `/${given}`));
    return instructionDirectories.some((directory) => isWithin(directory, path) || isWithin(path, directory));
  } catch {
    return true;
  }
}
