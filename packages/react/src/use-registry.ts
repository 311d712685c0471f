import type { Registry, Tool } from '@utensil/core';
import { useSource } from './use-source.ts';

/**
 * Tools of a registry: the same array until they change.
 *
 * @example
 * ```ts
 * import type { Registry } from '@utensil/core';
 * import { useRegistry } from '@utensil/react';
 * import { createElement } from 'react';
 * import type { ReactNode } from 'react';
 *
 * function ToolCount({ registry }: { readonly registry: Registry }): ReactNode {
 *   const tools = useRegistry(registry);
 *   return createElement('p', null, `${tools.length} tools`);
 * }
 * ```
 */
export function useRegistry(registry: Pick<Registry, 'snapshot' | 'subscribe'>): readonly Tool[] {
  return useSource(registry, (source) => source.snapshot());
}
