import type { Api, ModelInfo } from './model.ts';

/** A model to look up. */
export interface ModelReference {
  readonly api: Api;
  readonly id: string;
  /** Vendor whose prices apply, such as `anthropic` or `openrouter`. Absent if only the address tells. */
  readonly vendor?: string;
  /** Address of the server, if known. */
  readonly baseURL?: string;
}

/** Facts about a model from a catalog. */
export type ModelFacts = Pick<ModelInfo, 'contextWindow' | 'price'>;

/** Looks up a model in a catalog, such as the package `@utensil/model-data`. Returns undefined for an unknown model. */
export type ModelData = (model: ModelReference) => ModelFacts | undefined;
