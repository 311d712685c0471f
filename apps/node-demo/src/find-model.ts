import { listOllamaModels } from '@utensil/provider-ollama';
import { kindFor, modelNames, type ModelWishes, ollamaPlace } from './model-choice.ts';

/** What is looked for, and how. */
export interface ModelSearch extends ModelWishes {
  /** Default: asks the server. */
  readonly listModels?: typeof listOllamaModels;
}

/** The name of a model that can be asked: by the keys in the environment, else of an Ollama that runs here, else offline. */
export async function findModel(search: ModelSearch): Promise<string> {
  const kind = kindFor(search.env);
  if (kind !== undefined) return nameModel(kind, search);
  if (search.baseUrl !== undefined) return 'offline'; // that server may be anybody's
  const [name = 'offline'] = await ollamaNames(search);
  return name;
}

/** The name of a model with its id, where only its kind is named and the environment or a server knows which there are. */
export async function nameModel(wanted: string, search: ModelSearch): Promise<string> {
  const { COMPATIBLE_MODEL: id } = search.env;
  if (wanted === 'compatible' && id) return `compatible:${id}`;
  if (wanted !== 'ollama') return wanted;
  const [name = wanted] = await ollamaNames(search);
  return name;
}

/** The choices, with the models that Ollama has. */
export async function listModelNames(search: ModelSearch): Promise<readonly string[]> {
  const names = search.baseUrl === undefined ? await ollamaNames(search) : [];
  return names.length === 0 ? modelNames : [...modelNames.filter((name) => !name.startsWith('ollama:')), ...names];
}

/** A server that somebody has named is waited for longer than one that may not be there. */
const namedServerMs = 3_000;

async function ollamaNames({ env, baseUrl, listModels = listOllamaModels }: ModelSearch): Promise<readonly string[]> {
  const place = baseUrl === undefined ? ollamaPlace(env) : { baseURL: baseUrl };
  const isNamed = place.baseURL !== undefined;
  return ((await listModels({ ...place, ...(isNamed && { timeout: namedServerMs }) })) ?? []).map(
    ({ id }) => `ollama:${id}`,
  );
}
