import type { Model } from '@utensil/core';
import { type ModelBackend, type ModelSetup, modelSuite } from '@utensil/core/testing';
import { type Handler, loopback } from '@utensil/tooling-loopback';
import { type WireFormat, play } from '@utensil/tooling-loopback/answer';
import { openaiChatWire, openaiResponsesWire } from '@utensil/tooling-loopback/openai-answer';
import { refuseOpenAIChat, refuseOpenAIResponses } from '@utensil/tooling-loopback/validators';
import { describe, it } from 'vitest';
import { openai, openaiChat } from './openai.ts';

interface Api {
  readonly wire: WireFormat;
  refuse(body: unknown): ReturnType<Handler> | undefined;
  make(connection: { readonly apiKey: string; readonly baseURL: string }): Model;
}

interface Declared {
  readonly tools?: readonly { readonly name?: string; readonly function?: { readonly name: string } }[];
}

/** A server that speaks an API, and a model that asks it. */
function backendOf({ wire, refuse, make }: Api): ModelBackend {
  return {
    async open(answer, { apiKey }: ModelSetup) {
      const server = await loopback((request) => {
        const body = request.json();
        return refuse(body) ?? play(answer(body), wire);
      });
      const model = make({ apiKey, baseURL: server.url });
      return { model, connections: server.connections, close: server.close };
    },
    toolNames: (request) =>
      ((request as Declared).tools ?? []).map((tool) => tool.function?.name ?? tool.name ?? '(no name)'),
  };
}

const noFlag = 'The wire format has no flag for it: the text of a result says what failed.';

describe('openai', () => {
  const make: Api['make'] = (connection) => openai('gpt-5.6', connection);
  modelSuite({ test: it }, () => backendOf({ wire: openaiResponsesWire, refuse: refuseOpenAIResponses, make }), {
    skip: { 'tells a failed result from a successful one': noFlag },
  });
});

describe('openaiChat', () => {
  const make: Api['make'] = (connection) => openaiChat('gpt-4.1', connection);
  modelSuite({ test: it }, () => backendOf({ wire: openaiChatWire, refuse: refuseOpenAIChat, make }), {
    skip: {
      'sends provider data back to its own API': 'The API has no provider data to send back.',
      'tells a failed result from a successful one': noFlag,
    },
  });
});
