import type { Model, ModelChoice, Models } from '@utensil/core';

/**
 * Models for the host, by ids of your choice.
 *
 * @example
 * ```ts
 * import { scriptedModel } from '@utensil/core/testing';
 * import { modelTable } from '@utensil/tool-agent';
 *
 * const models = modelTable({ fast: scriptedModel([]), thorough: scriptedModel([]) });
 * console.log(models.list().map(({ id }) => id)); // [ 'fast', 'thorough' ]
 * ```
 */
export function modelTable(table: Readonly<Record<string, Model>> = {}): Models {
  const known = new Map(Object.entries(table));
  return {
    get: (id) => known.get(id),
    list: () => [...known].map(([id, { info }]) => ({ id, description: info.id })),
  };
}

/** Models that the user allows, in the user's order, limited to those of the app; all if none is named. */
export function allowedModels(offered: Models, allowed: readonly string[]): readonly ModelChoice[] {
  const all = offered.list();
  if (allowed.length === 0) return all;
  return allowed.flatMap((id) => all.filter((each) => each.id === id));
}
