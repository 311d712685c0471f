import { calcPrice, findProvider } from '@pydantic/genai-prices';
import type { ModelData, ModelFacts, ModelReference } from '@utensil/core';
import { isOtherVersion, otherIds } from './model-id.ts';
import { priceOf } from './price.ts';
import { supplement } from './supplement.ts';

/**
 * Returns prices and context windows of models from the catalog of `@pydantic/genai-prices`, for the option `info` of
 * providers; undefined for models that are not in the catalog.
 *
 * @example
 * ```ts
 * import { modelData } from '@utensil/model-data';
 * import { anthropic } from '@utensil/provider-anthropic';
 *
 * const { info } = anthropic('claude-opus-5', { info: modelData });
 * console.log(info.contextWindow, info.price?.input); // 1000000 5
 * ```
 */
export const modelData: ModelData = (model) => {
  const catalog = catalogOf(model);
  if (!catalog) return undefined;
  const own = factsIn(catalog, model.id);
  if (catalog !== router || own?.contextWindow !== undefined) return own;
  const contextWindow = windowOf(model.id);
  return contextWindow === undefined ? own : { ...own, contextWindow };
};

/** Catalog of a router with models of all vendors, under its own ids. */
const router = 'openrouter';

/**
 * The catalog whose prices apply: that of the address's owner if known, else the vendor's. A proxy charges the vendor's
 * prices.
 */
function catalogOf({ vendor, baseURL }: ModelReference): string | undefined {
  const owner = baseURL === undefined ? undefined : findProvider({ providerApiUrl: baseURL });
  return owner?.id ?? vendor;
}

function factsIn(catalog: string, id: string): ModelFacts | undefined {
  for (const each of otherIds(id)) {
    const facts = knownFacts(catalog, each);
    if (facts !== undefined) return facts;
  }
  return undefined;
}

function knownFacts(catalog: string, id: string): ModelFacts | undefined {
  const found = calcPrice({}, id, { providerId: catalog })?.model;
  if (found === undefined || isOtherVersion(id, found)) return supplement.get(`${catalog}/${id}`);
  const price = priceOf(found.prices, Date.now());
  const { context_window: contextWindow } = found;
  return {
    ...supplement.get(`${catalog}/${found.id}`),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(price !== undefined && { price }),
  };
}

/**
 * Context window of a router model, by its vendor: `anthropic/claude-sonnet-5.5:nitro` is that vendor's
 * `claude-sonnet-5-5`.
 */
function windowOf(id: string): number | undefined {
  const [, vendor, name = ''] = /^~?([^/]+)\/([^:]*)/.exec(id) ?? [];
  if (vendor === undefined) return undefined;
  const spellings = [name, name.replaceAll(/(\d)\.(\d)/g, '$1-$2')];
  return spellings.map((each) => factsIn(vendor, each)?.contextWindow).find((window) => window !== undefined);
}
