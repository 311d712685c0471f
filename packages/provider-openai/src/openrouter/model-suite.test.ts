import { type ModelBackend, modelSuite } from '@utensil/core/testing';
import { loopback } from '@utensil/tooling-loopback';
import { type Answer, type WireFormat, play } from '@utensil/tooling-loopback/answer';
import { openaiChatWire } from '@utensil/tooling-loopback/openai-answer';
import { refuseOpenRouter } from '@utensil/tooling-loopback/validators';
import { describe, it } from 'vitest';
import { openrouter } from './openrouter.ts';

interface Declared {
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** Thoughts as OpenRouter sends them: as text, and as a block of several fragments, of which the last has the signature. */
function thoughts({ blocks, state = 'sealed' }: Answer): readonly object[] {
  const texts = blocks.flatMap(({ type, deltas }) => (type === 'reasoning' ? deltas : []));
  if (texts.length === 0) return [];
  const block = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 };
  return [
    ...texts.map((text) => ({ reasoning: text, content: '', reasoning_details: [{ ...block, text }] })),
    { reasoning: null, content: '', reasoning_details: [{ ...block, signature: state }] },
  ];
}

const wire: WireFormat = {
  ...openaiChatWire,
  encode(answer) {
    const { content, end } = openaiChatWire.encode({
      ...answer,
      blocks: answer.blocks.filter(({ type }) => type !== 'reasoning'),
    });
    const chunks = thoughts(answer).map((delta) => ({ data: { choices: [{ index: 0, delta, finish_reason: null }] } }));
    return { content: [...chunks, ...content], end };
  },
  failure: {
    data: {
      error: { code: 502, message: 'Provider disconnected', metadata: { error_type: 'provider_unavailable' } },
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
    },
  },
  toError: ({ status, message = '', isTooLong = false }) => ({
    error: {
      code: status === 200 ? 400 : status,
      message: isTooLong ? "This endpoint's maximum context length is 1000 tokens." : message,
    },
  }),
  write: (event) =>
    `: OPENROUTER PROCESSING\n\ndata: ${typeof event.data === 'string' ? event.data : JSON.stringify(event.data)}\n\n`,
};

const noFlag = 'The wire format has no flag for it: the text of a result says what failed.';

describe('openrouter', () => {
  const make = (): ModelBackend => ({
    toolNames: (request) => ((request as Declared).tools ?? []).map((tool) => tool.function.name),
    async open(answer, { apiKey }) {
      const server = await loopback((request) => {
        const body = request.json();
        return refuseOpenRouter(body) ?? play(answer(body), wire);
      });
      const model = openrouter('anthropic/claude-sonnet-5-5', { apiKey, baseURL: server.url });
      return { model, connections: server.connections, close: server.close };
    },
  });
  modelSuite({ test: it }, make, { skip: { 'tells a failed result from a successful one': noFlag } });
});
