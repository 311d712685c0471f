import type { Api, ModelInfo } from './model.ts';

/** A model that is looked up. */
export interface ModelReference {
  readonly api: Api;
  readonly id: string;
  /** Whose prices hold, for example `anthropic` or `openrouter`. Absent if only the address can tell. */
  readonly vendor?: string;
  /** Address of the server, if it is known. */
  readonly baseURL?: string;
}

/** Facts of a catalog about a model. */
export type ModelFacts = Pick<ModelInfo, 'contextWindow' | 'price'>;

/**
 * Looks a model up in a catalog, for example that of the package `@utensil/model-data`. Gives undefined for a model that it
 * does not know.
 */
export type ModelData = (model: ModelReference) => ModelFacts | undefined;
