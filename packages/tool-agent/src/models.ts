import { capability } from '@utensil/core';
import type { Capability, Model } from '@utensil/core';

/** A model that can be chosen. */
export interface ModelChoice {
  readonly id: string;
  /** What it is, or is good at; models read it. */
  readonly description?: string;
}

/** The models that an app offers its tools, by ids of the app's own. */
export interface Models {
  get(id: string): Model | undefined;
  list(): readonly ModelChoice[];
}

/** Where the host keeps the models that tools may choose from. */
export const models: Capability<Models> = /* @__PURE__ */ capability<Models>('models');

/**
 * Models by ids of your own, for the host.
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

/** The models that the user allows: those named in a list with commas or lines, or all. */
export function allowedModels(offered: Models, allowed: string): readonly ModelChoice[] {
  const ids = allowed.split(/[,\n]/).map((id) => id.trim());
  const named = ids.filter((id) => id !== '');
  return offered.list().filter(({ id }) => named.length === 0 || named.includes(id));
}
