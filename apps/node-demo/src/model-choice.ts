import { type Model, type ModelData, UtensilError } from '@utensil/core';
import { modelData } from '@utensil/model-data';
import { anthropic } from '@utensil/provider-anthropic';
import { google } from '@utensil/provider-google';
import { offline } from '@utensil/provider-offline';
import { ollama } from '@utensil/provider-ollama';
import { openai, openaiChat } from '@utensil/provider-openai';
import { openaiCompatible } from '@utensil/provider-openai/compatible';
import { openrouter } from '@utensil/provider-openai/openrouter';
import { withTextFallback } from '@utensil/text-dialects';

type Environment = Readonly<Record<string, string | undefined>>;

interface Connection {
  readonly baseURL?: string;
  readonly info: ModelData;
}

interface Kind {
  /** Default model; a kind without one has a single model. */
  readonly defaultId?: string;
  /** Environment variable that selects this kind if no model is named. */
  readonly variable?: string;
  /** True if its answers repeat the results of tools. */
  readonly repeatsResults?: true;
  /**
   * True if its models may lack tool support: they then call tools in text, from the turn in which their server says
   * so.
   */
  readonly mayTakeNoTools?: true;
  make(id: string, connection: Connection, env: Environment): Model;
}

/** In order of preference: the first one whose variable is set is used. */
const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['offline', { repeatsResults: true, make: () => offline() }],
  ['anthropic', { variable: 'ANTHROPIC_API_KEY', defaultId: 'claude-sonnet-5-5', make: anthropic }],
  ['openai', { variable: 'OPENAI_API_KEY', defaultId: 'gpt-5.6', make: openai }],
  ['openai-chat', { defaultId: 'gpt-4.1', make: openaiChat }],
  ['google', { variable: 'GEMINI_API_KEY', defaultId: 'gemini-3.8-flash', make: gemini }],
  ['openrouter', { variable: 'OPENROUTER_API_KEY', defaultId: 'anthropic/claude-sonnet-5-5', make: openrouter }],
  ['compatible', { variable: 'COMPATIBLE_BASE_URL', defaultId: 'default', mayTakeNoTools: true, make: compatible }],
  ['ollama', { defaultId: 'qwen3', mayTakeNoTools: true, make: local }],
]);

/** The choices, in the form that `--model` takes. */
export const modelNames: readonly string[] = [...kinds].map(([name, { defaultId }]) =>
  defaultId === undefined ? name : `${name}:${defaultId}`,
);

/** A model, with its name in the form that `--model` takes. */
export interface ChosenModel {
  readonly model: Model;
  readonly name: string;
  /** True if its answers repeat the results of tools, which are then not shown with each call. */
  readonly repeatsResults?: true;
}

/** Source of the choice. */
export interface ModelWishes {
  readonly env: Environment;
  readonly baseUrl?: string | undefined;
  /** Called if a model does not support tools, with the dialect in which it calls them in text. */
  tell?(text: string): void;
}

/** Creates the model with this name. Throws `invalid_input`. */
export function chooseModel(wanted: string, { env, baseUrl, tell }: ModelWishes): ChosenModel {
  const [kindName = '', ...rest] = wanted.split(':');
  const kind = kinds.get(kindName);
  const id = rest.join(':') || kind?.defaultId;
  if (kind === undefined || (rest.length > 0 && kind.defaultId === undefined)) {
    throw new UtensilError(
      'invalid_input',
      `There is no model "${wanted}". Use ${modelNames.join(', ')}, or another id.`,
    );
  }
  const model = kind.make(id ?? '', { info: modelData, ...(baseUrl !== undefined && { baseURL: baseUrl }) }, env);
  const onFallback = (dialect: string): void =>
    tell?.(`${model.info.id} takes no tools of its own: it calls them in text, in the dialect ${dialect}.`);
  return {
    model: kind.mayTakeNoTools === true ? withTextFallback(model, 'auto', { onFallback }) : model,
    name: id === undefined ? kindName : `${kindName}:${id}`,
    ...(kind.repeatsResults && { repeatsResults: true }),
  };
}

/** True if this name has the name of a kind. */
export function isModelName(name: string): boolean {
  return kinds.has(name.split(':')[0] ?? '');
}

/** The kind selected by the environment, if any. */
export function kindFor(env: Environment): string | undefined {
  return [...kinds].find(([, { variable = '' }]) => env[variable])?.[0];
}

/** Address of Ollama, from its own environment variable. */
export function ollamaPlace({ OLLAMA_HOST: baseURL }: Environment): Pick<Connection, 'baseURL'> {
  return baseURL ? { baseURL } : {};
}

function gemini(id: string, { baseURL, info }: Connection): Model {
  return google(id, { info, ...(baseURL !== undefined && { baseUrl: baseURL }) });
}

/** In tokens: the server's default may be 4,096, which the tools alone exceed. */
const localWindow = 16_384;

function local(id: string, { info: _, ...connection }: Connection, env: Environment): Model {
  const contextWindow = Number(env['OLLAMA_CONTEXT_LENGTH']) || localWindow;
  return ollama(id, { contextWindow, ...ollamaPlace(env), ...connection });
}

function compatible(id: string, { baseURL, info }: Connection, env: Environment): Model {
  const place = baseURL ?? env['COMPATIBLE_BASE_URL'];
  if (!place) {
    const message = 'Where is the server? Set COMPATIBLE_BASE_URL, or name it with --base-url.';
    throw new UtensilError('invalid_input', message);
  }
  const apiKey = env['COMPATIBLE_API_KEY'];
  return openaiCompatible({ baseURL: place, model: id, info, ...(apiKey && { apiKey }) });
}
