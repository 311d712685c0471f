import { type Model, UtensilError } from '@utensil/core';
import { anthropic } from '@utensil/provider-anthropic';
import { offline } from '@utensil/provider-offline';
import { openai, openaiChat } from '@utensil/provider-openai';

const anthropicModel = 'claude-sonnet-5-5';
const openaiModel = 'gpt-5.6';
const openaiChatModel = 'gpt-4.1';

interface Connection {
  readonly baseURL?: string;
}

interface Kind {
  /** The model where none is named; a kind without it has just one. */
  readonly defaultId?: string;
  make(id: string, connection: Connection): Model;
}

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['offline', { make: () => offline() }],
  ['anthropic', { defaultId: anthropicModel, make: anthropic }],
  ['openai', { defaultId: openaiModel, make: openai }],
  ['openai-chat', { defaultId: openaiChatModel, make: openaiChat }],
]);

/** The choices, as `--model` takes them. */
export const modelNames: readonly string[] = [...kinds].map(([name, { defaultId }]) =>
  defaultId === undefined ? name : `${name}:${defaultId}`,
);

/** A model, and its name as `--model` takes it. */
export interface ChosenModel {
  readonly model: Model;
  readonly name: string;
}

/** Where a model is chosen from. */
export interface ModelWishes {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly baseUrl?: string | undefined;
}

/** The model of that name; without one, by the keys in the environment. Throws `invalid_input`. */
export function chooseModel(name: string | undefined, { env, baseUrl }: ModelWishes): ChosenModel {
  const wanted = name ?? nameFor(env);
  const [kindName = '', ...rest] = wanted.split(':');
  const kind = kinds.get(kindName);
  const id = rest.join(':') || kind?.defaultId;
  if (kind === undefined || (rest.length > 0 && kind.defaultId === undefined)) {
    throw new UtensilError(
      'invalid_input',
      `There is no model "${wanted}". Use ${modelNames.join(', ')}, or another id.`,
    );
  }
  return {
    model: kind.make(id ?? '', baseUrl === undefined ? {} : { baseURL: baseUrl }),
    name: id === undefined ? kindName : `${kindName}:${id}`,
  };
}

function nameFor(env: ModelWishes['env']): string {
  if (env['ANTHROPIC_API_KEY']) return 'anthropic';
  return env['OPENAI_API_KEY'] ? 'openai' : 'offline';
}
