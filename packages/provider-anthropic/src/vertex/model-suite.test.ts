import { type ModelBackend, modelSuite } from '@utensil/core/testing';
import { loopback } from '@utensil/tooling-loopback';
import { play } from '@utensil/tooling-loopback/answer';
import { anthropicWire } from '@utensil/tooling-loopback/anthropic-answer';
import { refuseAnthropicMessages } from '@utensil/tooling-loopback/validators';
import { it } from 'vitest';
import { anthropicVertex } from './vertex.ts';

const path = '/projects/p/locations/europe-west1/publishers/anthropic/models/claude-sonnet-5-5:streamRawPredict';

/** Credentials that need no network. */
const authClientOf = (token: string) =>
  ({ getRequestHeaders: async () => new Headers({ authorization: `Bearer ${token}` }) }) as never;

const backend: ModelBackend = {
  async open(answer, { apiKey }) {
    const server = await loopback((request) => {
      if (request.path !== path) return { status: 404, body: `No ${request.path} here.` };
      if (request.headers.authorization !== `Bearer ${apiKey}`) return { status: 401, body: '{}' };
      const { anthropic_version: _, ...body } = request.json() as { readonly anthropic_version: string };
      return refuseAnthropicMessages({ ...body, model: 'claude-sonnet-5-5' }) ?? play(answer(body), anthropicWire);
    });
    const model = anthropicVertex('claude-sonnet-5-5', {
      ...{ baseURL: server.url, region: 'europe-west1', projectId: 'p' },
      ...{ authClient: authClientOf(apiKey), accessToken: apiKey },
    });
    return { model, connections: server.connections, close: server.close };
  },
  toolNames: (request) => (request as { tools?: readonly { name: string }[] }).tools?.map(({ name }) => name) ?? [],
};

modelSuite({ test: it }, () => backend, {
  skip: { 'reports that a filter ended the turn': 'The API has one reason for all of them, which is a refusal.' },
});
