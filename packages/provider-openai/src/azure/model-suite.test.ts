import type { Model } from '@utensil/core';
import { type ModelBackend, modelSuite } from '@utensil/core/testing';
import { type Handler, loopback } from '@utensil/tooling-loopback';
import { type WireFormat, play } from '@utensil/tooling-loopback/answer';
import { openaiChatWire, openaiResponsesWire } from '@utensil/tooling-loopback/openai-answer';
import { refuseOpenAIChat, refuseOpenAIResponses } from '@utensil/tooling-loopback/validators';
import { describe, it } from 'vitest';
import { azure, azureChat } from './azure.ts';

interface Api {
  readonly path: string;
  readonly wire: WireFormat;
  refuse(body: unknown): ReturnType<Handler> | undefined;
  make(connection: { readonly apiKey: string; readonly endpoint: string }): Model;
}

interface Declared {
  readonly tools?: readonly { readonly name?: string; readonly function?: { readonly name: string } }[];
}

/** A resource on Azure: another place is not found, and a key is in a header of its own. */
function backendOf({ path, wire, refuse, make }: Api): ModelBackend {
  return {
    async open(answer, { apiKey }) {
      const server = await loopback((request) => {
        if (request.path !== path) return { status: 404, body: `No ${request.path} here.` };
        if (request.headers['api-key'] !== apiKey) return { status: 401, body: '{}' };
        const body = request.json() as { readonly model: string };
        // A deployment has a name of its own.
        return refuse({ ...body, model: body.model.replace('deployed-', '') }) ?? play(answer(body), wire);
      });
      return { model: make({ apiKey, endpoint: server.url }), connections: server.connections, close: server.close };
    },
    toolNames: (request) =>
      ((request as Declared).tools ?? []).map((tool) => tool.function?.name ?? tool.name ?? '(no name)'),
  };
}

const noFlag = 'The wire format has no flag for it: the text of a result says what failed.';

describe('azure', () => {
  const api: Api = {
    path: '/openai/responses?api-version=v1',
    wire: openaiResponsesWire,
    refuse: refuseOpenAIResponses,
    make: (connection) => azure('deployed-gpt-5.6', { ...connection, apiVersion: 'v1', modelId: 'gpt-5.6' }),
  };
  modelSuite({ test: it }, () => backendOf(api), { skip: { 'tells a failed result from a successful one': noFlag } });
});

describe('azureChat', () => {
  const api: Api = {
    path: '/openai/deployments/deployed-gpt-4.1/chat/completions?api-version=v1',
    wire: openaiChatWire,
    refuse: refuseOpenAIChat,
    make: (connection) => azureChat('deployed-gpt-4.1', { ...connection, apiVersion: 'v1', modelId: 'gpt-4.1' }),
  };
  modelSuite({ test: it }, () => backendOf(api), {
    skip: {
      'sends provider data back to its own API': 'The API has no provider data to send back.',
      'tells a failed result from a successful one': noFlag,
    },
  });
});
