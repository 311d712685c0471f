import { UtensilError } from '../../base/errors.ts';
import type { ModelData, ModelReference } from '../model-data.ts';
import type { ModelInfo, ModelPrice } from '../model.ts';
import { isPrice } from '../price.ts';

/** Options common to all providers: facts about the model. */
export interface ModelInfoOptions {
  /** In tokens, input and output together. Default: from `info`. */
  readonly contextWindow?: number | undefined;
  /** US dollars per million tokens, for `usage.cost` and `limits.cost`. Default: from `info`. */
  readonly price?: ModelPrice | undefined;
  /** Catalog to look the model up in, such as `modelData` of `@utensil/model-data`. Default: none. */
  readonly info?: ModelData | undefined;
}

/**
 * Facts about a model: from the options, else from the catalog. `traits` are the facts that the provider knows itself.
 *
 * @throws `invalid_option` if a number is invalid
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
