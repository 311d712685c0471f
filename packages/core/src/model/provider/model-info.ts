import { UtensilError } from '../../base/errors.ts';
import type { ModelData, ModelReference } from '../model-data.ts';
import type { ModelInfo, ModelPrice } from '../model.ts';
import { isPrice } from '../price.ts';

/** Options of each provider for what is known of its model. */
export interface ModelInfoOptions {
  /** In tokens, input and output together. Default: as `info` has it. */
  readonly contextWindow?: number | undefined;
  /** US dollars for a million tokens, for `usage.cost` and `limits.cost`. Default: as `info` has it. */
  readonly price?: ModelPrice | undefined;
  /** Catalog to look the model up in, for example `modelData` of `@utensil/model-data`. Default: none. */
  readonly info?: ModelData | undefined;
}

/**
 * What is known of a model: what its options say, else what the catalog has. `traits`: what the provider knows of it.
 *
 * @throws `invalid_option` if a number means nothing
 */
export function modelInfo(
  model: ModelReference,
  options: ModelInfoOptions,
  traits?: Pick<ModelInfo, 'maxOutputTokens' | 'reportsCost' | 'supports'>,
): ModelInfo {
  const { api, id } = model;
  const known = options.info?.(model);
  const { contextWindow = known?.contextWindow, price = known?.price } = options;
  if (contextWindow !== undefined && !(contextWindow > 0)) throw invalid('contextWindow', id, 'a number of tokens');
  if (price !== undefined && !isPrice(price)) throw invalid('price', id, 'US dollars for a million tokens, from 0');
  return {
    api,
    id,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(price !== undefined && { price }),
    ...traits,
  };
}

function invalid(name: string, id: string, expected: string): UtensilError {
  return new UtensilError('invalid_option', `The \`${name}\` of ${id} must be ${expected}.`);
}
