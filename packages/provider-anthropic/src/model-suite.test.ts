import { type ModelBackend, modelSuite } from '@utensil/core/testing';
import { loopback } from '@utensil/tooling-loopback';
import { play } from '@utensil/tooling-loopback/answer';
import { anthropicWire } from '@utensil/tooling-loopback/anthropic-answer';
import { refuseAnthropicMessages } from '@utensil/tooling-loopback/validators';
import { it } from 'vitest';
import { anthropic } from './anthropic.ts';

const backend: ModelBackend = {
  async open(answer, { apiKey }) {
    const server = await loopback((request) => {
      const body = request.json();
      return refuseAnthropicMessages(body) ?? play(answer(body), anthropicWire);
    });
    const model = anthropic('claude-sonnet-5-5', { apiKey, baseURL: server.url });
    return { model, connections: server.connections, close: server.close };
  },
  toolNames: (request) => (request as { tools?: readonly { name: string }[] }).tools?.map(({ name }) => name) ?? [],
};

modelSuite({ test: it }, () => backend, {
  skip: {
    'reports that a filter ended the turn': 'The API has one reason for all of them, which is a refusal.',
  },
});
