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
        'streams what the model thinks before what it says': textAlone,
        'counts what came from the cache as read': twoCounts,
        'counts what went to the cache as read': twoCounts,
        'counts reasoning as written': twoCounts,
        'shows the model a picture of the user': textAlone,
        'shows the model a picture that a tool has returned': textAlone,
        'gives back to its api what that wants back': 'The API has nothing that it wants back.',
      },
    },
  );
});
