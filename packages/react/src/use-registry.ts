import type { Registry, Tool } from '@utensil/core';
import { useSource } from './use-source.ts';

/**
 * The tools of a registry, as they come and go: the same array until something changes.
 *
 * @example
 * ```tsx no-run
 * const tools = useRegistry(registry);
 * return <p>{tools.length} tools</p>;
 * ```
 */
export function useRegistry(registry: Registry): readonly Tool[] {
  return useSource({ subscribe: registry.subscribe, snapshot: registry.snapshot });
}
