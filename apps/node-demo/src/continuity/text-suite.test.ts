// Models without tools pass what the others pass: calls in text, over a server of ours that would refuse tools.
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
    'What is wrong with them stands before them, for the model wrote a text and no arguments.',
  'keeps text and calls in the order of the stream': 'Blanks around a call belong to its markup.',
  'adapts names that the vendor does not accept, and restores them in calls': 'In a text, names stand as they are.',
  'forces a tool by the name that the vendor knows': 'The model is asked in words, behind the last message.',
  'sends the tool choice': 'The prompt stays the same where no tool is to be called.',
  'limits a turn to one call': 'No more than one is taken, whatever the model writes.',
  'sends provider data back to its own API': 'A text has nothing opaque that could go back with it.',
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
