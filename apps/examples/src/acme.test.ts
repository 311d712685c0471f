import { type AnswerBlock, type ModelAnswer, modelSuite } from '@utensil/core/testing';
import { type Reply, loopback } from '@utensil/tooling-loopback';
import { describe, test } from 'vitest';
import { acme } from './acme.ts';

interface Body {
  readonly tools: readonly { readonly name: string }[];
}

function reply(answer: ModelAnswer): Reply {
  if ('status' in answer) {
    const { status, message = '', isTooLong, retryAfter, page } = answer;
    const headers = { ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
    return { status, headers, body: page ?? JSON.stringify({ error: isTooLong ? 'too many pages' : message }) };
  }
  const { blocks, ends, reason, usage, unknownEvents } = answer;
  const end = {
    reason: reason ?? (blocks.some(({ type }) => type === 'call') ? 'tool-calls' : 'stop'),
    read: usage?.inputTokens ?? 1,
    written: usage?.outputTokens ?? 1,
  };
  const told = blocks
    .flatMap(linesOf)
    .flatMap((line) => (unknownEvents ? [{ ...line, news: 1 }, { news: 2 }] : [line]));
  const last = ends === undefined ? [{ end }] : ends === 'error' ? [{ error: 'It broke.' }] : [];
  return {
    body: [...told, ...last].map((line) => `${JSON.stringify(line)}\n`),
    ...(ends === 'truncated' && { end: 'destroy' }),
    ...(ends === 'hangs' && { end: 'hang' }),
  };
}

function linesOf(block: AnswerBlock): readonly object[] {
  if (block.type !== 'call') return block.type === 'text' ? block.deltas.map((text) => ({ text })) : [];
  return [{ call: { id: crypto.randomUUID(), name: block.name, input: block.deltas.join('') } }];
}

const textAlone = 'The API takes and gives text alone.';
const twoCounts = 'The API counts what was read and what was written, and no more.';

describe('acme', () => {
  modelSuite(
    { test },
    () => ({
      toolNames: (request) => (request as Body).tools.map(({ name }) => name),
      async open(answer, { apiKey }) {
        const server = await loopback((request) => reply(answer(request.json())));
        const model = acme('m', { baseURL: server.url, apiKey });
        return { model, connections: server.connections, close: server.close };
      },
    }),
    {
      skip: {
        'streams reasoning before text': textAlone,
        'counts tokens read from the cache as input': twoCounts,
        'counts tokens written to the cache as input': twoCounts,
        'counts reasoning as output': twoCounts,
        'sends a picture by the user': textAlone,
        'sends a picture that a tool returned': textAlone,
        'sends provider data back to its own API': 'The API has no provider data to send back.',
      },
    },
  );
});
