// Models without tool support pass the same suite, with calls in text, over a local server that rejects tools.
import { type ModelBackend, modelSuite } from '@utensil/core/testing';
import { openaiChat } from '@utensil/provider-openai';
import { withTextTools } from '@utensil/text-dialects';
import { loopback } from '@utensil/tooling-loopback';
import { play } from '@utensil/tooling-loopback/answer';
import { refuseOpenAIChat } from '@utensil/tooling-loopback/validators';
import { describe, it } from 'vitest';
import { namesInPrompt, textWire } from '../test-kit/continuity/text-wire.ts';

const noTools = { status: 400, body: JSON.stringify({ error: { message: 'This model does not support tools.' } }) };

const skip = {
  'keeps arguments that are not JSON, for the model to correct':
    'The error is in the text before them: the model wrote text, not arguments.',
  'keeps text and calls in the order of the stream': 'Blanks around a call belong to its markup.',
  'adapts names that the vendor does not accept, and restores them in calls': 'In text, names are not adapted.',
  'forces a tool by the name that the vendor knows': 'The model is asked in words, after the last message.',
  'sends the tool choice': 'The prompt is the same with any tool choice.',
  'limits a turn to one call': 'Only the first call is read.',
  'sends provider data back to its own API': 'Text has no provider data to send back.',
};

describe('withTextTools', () => {
  const backend: ModelBackend = {
    toolNames: namesInPrompt,
    async open(answer, { apiKey }) {
      const server = await loopback((request) => {
        const body = request.json() as { tools?: unknown };
        if (body.tools !== undefined) return noTools;
        return refuseOpenAIChat(body) ?? play(answer(body), textWire);
      });
      const inner = openaiChat('gpt-4.1', { apiKey, baseURL: server.url });
      return { model: withTextTools(inner, 'hermes'), connections: server.connections, close: server.close };
    },
  };
  modelSuite({ test: it }, () => backend, { skip });
});
