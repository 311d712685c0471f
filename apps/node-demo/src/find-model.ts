import { listOllamaModels } from '@utensil/provider-ollama';
import { kindFor, modelNames, type ModelWishes, ollamaPlace } from './model-choice.ts';

/** Search options. */
export interface ModelSearch extends ModelWishes {
  /** Default: asks the server. */
  readonly listModels?: typeof listOllamaModels;
}

/** Name of an available model: by the API keys in the environment, else of a local Ollama, else offline. */
export async function findModel(search: ModelSearch): Promise<string> {
  const kind = kindFor(search.env);
  if (kind !== undefined) return nameModel(kind, search);
  if (search.baseUrl !== undefined) return 'offline'; // any process may listen on that port
  const [name = 'offline'] = await ollamaNames(search);
  return name;
}

/** Completes a name with the model id if it only names a kind, from the environment or a server. */
export async function nameModel(wanted: string, search: ModelSearch): Promise<string> {
  const { COMPATIBLE_MODEL: id } = search.env;
  if (wanted === 'compatible' && id) return `compatible:${id}`;
  if (wanted !== 'ollama') return wanted;
  const [name = wanted] = await ollamaNames(search);
  return name;
}

/** The choices, including the models of Ollama. */
export async function listModelNames(search: ModelSearch): Promise<readonly string[]> {
  const names = search.baseUrl === undefined ? await ollamaNames(search) : [];
  return names.length === 0 ? modelNames : [...modelNames.filter((name) => !name.startsWith('ollama:')), ...names];
}

/** Timeouts: a server that someone has named gets more time than one that may not exist. */
const namedServerMs = 3_000;

async function ollamaNames({ env, baseUrl, listModels = listOllamaModels }: ModelSearch): Promise<readonly string[]> {
  const place = baseUrl === undefined ? ollamaPlace(env) : { baseURL: baseUrl };
  const isNamed = place.baseURL !== undefined;
  return ((await listModels({ ...place, ...(isNamed && { timeout: namedServerMs }) })) ?? []).map(
    ({ id }) => `ollama:${id}`,
  );
}
