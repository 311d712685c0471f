import { modelSuite } from '@utensil/core/testing';
import { loopback } from '@utensil/tooling-loopback';
import { play } from '@utensil/tooling-loopback/answer';
import { openaiChatWire } from '@utensil/tooling-loopback/openai-answer';
import { refuseOpenAIChat } from '@utensil/tooling-loopback/validators';
import { describe, it } from 'vitest';
import { openaiCompatible } from './compatible.ts';
import type { Quirk } from './quirks.ts';

interface Declared {
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

const nothingOpaque = 'Thoughts are text here, and nothing is sealed.';
const noFlag = 'The wire format has no flag for it: the text of a result says what failed.';

describe.each<readonly [string, readonly Quirk[]]>([
  ['a server like OpenAI', []],
  ['a server with quirks', ['max-tokens', 'no-stream-options', 'no-null', 'short-ids']],
])('openaiCompatible for %s', (_, quirks) => {
  modelSuite(
    { test: it },
    () => ({
      toolNames: (request) => ((request as Declared).tools ?? []).map((tool) => tool.function.name),
      async open(answer, { apiKey }) {
        const server = await loopback((request) => {
          const body = request.json();
          return refuseOpenAIChat(body) ?? play(answer(body), openaiChatWire);
        });
        const model = openaiCompatible({ model: 'local', quirks, apiKey, baseURL: server.url });
        return { model, connections: server.connections, close: server.close };
      },
    }),
    {
      skip: {
        'sends provider data back to its own API': nothingOpaque,
        'tells a failed result from a successful one': noFlag,
      },
    },
  );
});
