import type { Model } from '@utensil/core';
import { anthropic } from '@utensil/provider-anthropic';
import { google, googleInteractions } from '@utensil/provider-google';
import { ollama } from '@utensil/provider-ollama';
import { openai, openaiChat } from '@utensil/provider-openai';
import { openaiCompatible } from '@utensil/provider-openai/compatible';
import { openrouter } from '@utensil/provider-openai/openrouter';

/** Connection of a model to the server. */
export interface Setup {
  readonly url: string;
  /** Default: none. */
  readonly fetch?: typeof fetch;
}

/** One of our models over an official SDK. */
export interface ForeignModel {
  readonly name: string;
  make(setup: Setup): Model;
}

const apiKey = 'none';
const apiVersion = 'v1beta'; // the only version that the server supports; Google's SDK defaults to `v1`

export const models: readonly ForeignModel[] = [
  { name: 'anthropic', make: (setup) => anthropic('claude-sonnet-5-5', connection(setup)) },
  { name: 'openai', make: (setup) => openai('gpt-5.6', connection(setup, '/v1')) },
  { name: 'openaiChat', make: (setup) => openaiChat('gpt-4.1', connection(setup, '/v1')) },
  {
    name: 'openaiCompatible',
    make: (setup) => openaiCompatible({ model: 'qwen3-8b', ...connection(setup, '/v1') }),
  },
  {
    name: 'openrouter',
    make: (setup) => openrouter('anthropic/claude-sonnet-5-5', connection(setup, '/api/v1')),
  },
  { name: 'google', make: (setup) => google('gemini-3.8-flash', googleConnection(setup)) },
  {
    name: 'googleInteractions',
    make: (setup) => googleInteractions('gemini-3.8-flash', googleConnection(setup)),
  },
  { name: 'ollama', make: (setup) => ollama('qwen3:8b', connection(setup)) },
];

function connection({ url, fetch = globalThis.fetch }: Setup, path = '') {
  return { apiKey, baseURL: `${url}${path}`, fetch };
}

function googleConnection({ url, fetch = globalThis.fetch }: Setup) {
  return { apiKey, apiVersion, baseUrl: url, fetch };
}
