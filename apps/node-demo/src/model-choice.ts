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
  /** The model where none is named; a kind without it has just one. */
  readonly defaultId?: string;
  /** The variable of the environment that chooses this kind, where no model is named. */
  readonly variable?: string;
  /** Its answers hold what the tools returned. */
  readonly repeatsResults?: true;
  /** Its models may take no tools: they call them in text, from the turn on in which their server says so. */
  readonly mayTakeNoTools?: true;
  make(id: string, connection: Connection, env: Environment): Model;
}

/** The first whose variable is set is chosen. */
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

/** The choices, as `--model` takes them. */
export const modelNames: readonly string[] = [...kinds].map(([name, { defaultId }]) =>
  defaultId === undefined ? name : `${name}:${defaultId}`,
);

/** A model, and its name as `--model` takes it. */
export interface ChosenModel {
  readonly model: Model;
  readonly name: string;
  /** Its answers hold what the tools returned: it need not be shown with each call. */
  readonly repeatsResults?: true;
}

/** Where a model is chosen from. */
export interface ModelWishes {
  readonly env: Environment;
  readonly baseUrl?: string | undefined;
  /** Told when a model takes no tools, and in which dialect it calls them in text. */
  tell?(text: string): void;
}

/** The model of that name. Throws `invalid_input`. */
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

/** Whether there are models of this name's kind. */
export function isModelName(name: string): boolean {
  return kinds.has(name.split(':')[0] ?? '');
}

/** The kind that the environment chooses, if it does. */
export function kindFor(env: Environment): string | undefined {
  return [...kinds].find(([, { variable = '' }]) => env[variable])?.[0];
}

/** Where Ollama is, as its own programs are told. */
export function ollamaPlace({ OLLAMA_HOST: baseURL }: Environment): Pick<Connection, 'baseURL'> {
  return baseURL ? { baseURL } : {};
}

function gemini(id: string, { baseURL, info }: Connection): Model {
  return google(id, { info, ...(baseURL !== undefined && { baseUrl: baseURL }) });
}

/** In tokens: the server's default may be 4,096, in which the tools alone have no place. */
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
