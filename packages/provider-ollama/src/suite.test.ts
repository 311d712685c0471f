import type { Json } from '@utensil/core';
import {
  type AnswerBlock,
  type FailedAnswer,
  type ModelAnswer,
  type StreamedAnswer,
  modelSuite,
} from '@utensil/core/testing';
import { type RecordedRequest, type Reply, loopback } from '@utensil/tooling-loopback';
import { refuseOllamaChat } from '@utensil/tooling-loopback/validators';
import { describe, test } from 'vitest';
import { ollama } from './ollama.ts';

// A simulated Ollama server: lines of JSON, calls as whole objects, and events that only Ollama sends.

interface Body {
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

const ndjson = { 'content-type': 'application/x-ndjson' };
const json = { 'content-type': 'application/json; charset=utf-8' };

function reply(answer: ModelAnswer): Reply {
  if ('status' in answer) return failed(answer);
  const { ends } = answer;
  const body = [...lines(answer), ...(ends === undefined ? [end(answer)] : []), ...(ends === 'error' ? [error] : [])];
  return {
    headers: ndjson,
    body: body.map((each) => `${JSON.stringify(each)}\n`),
    ...(ends === 'truncated' && { end: 'destroy' }),
    ...(ends === 'hangs' && { end: 'hang' }),
  };
}

function failed({ status, message = '', isTooLong = false, retryAfter, page }: FailedAnswer): Reply {
  if (page !== undefined) return { status, headers: { 'content-type': 'text/html' }, body: page };
  const said = isTooLong ? 'the input length exceeds the context length' : message;
  const headers = { ...json, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) };
  return { status, headers, body: JSON.stringify({ error: said }) };
}

const error = { error: 'an error was encountered while running the model' };

function lines({ blocks, state, unknownEvents = false }: StreamedAnswer): object[] {
  const thought = state === undefined ? [] : [line({ thinking: state })];
  const told = [...thought, ...blocks.flatMap(blockLines)];
  return unknownEvents
    ? told.flatMap((each) => [
        { ...each, novelty: { a: 1 } },
        { model: 'm', phase: 'idle' },
      ])
    : told;
}

function blockLines(block: AnswerBlock, index: number): object[] {
  const field = block.type === 'text' ? 'content' : 'thinking';
  if (block.type !== 'call') return block.deltas.map((delta) => line({ [field]: delta }));
  const written = block.deltas.join('');
  const called = { index: 0, name: block.name, arguments: JSON.parse(written === '' ? '{}' : written) as Json };
  return [line({ tool_calls: [{ id: `call_${index}_${crypto.randomUUID().slice(0, 8)}`, function: called }] })];
}

function line(message: object): object {
  return {
    model: 'm',
    created_at: '2026-08-21T10:00:00Z',
    message: { role: 'assistant', content: '', ...message },
    done: false,
  };
}

function end({ reason, usage }: StreamedAnswer): object {
  const counts = { prompt_eval_count: usage?.inputTokens ?? 1, eval_count: usage?.outputTokens ?? 1, eval_duration: 7 };
  return { ...line({}), done: true, done_reason: reason === 'length' ? 'length' : 'stop', ...counts };
}

const capabilities = JSON.stringify({ capabilities: ['completion', 'tools', 'vision', 'thinking'] });

describe('ollama', () => {
  modelSuite(
    { test },
    () => ({
      toolNames: (request) => (request as Body).tools?.map((tool) => tool.function.name) ?? [],
      async open(answer, { apiKey }) {
        const handler = (request: RecordedRequest): Reply | Promise<Reply> => {
          if (request.path !== '/api/chat') return { headers: json, body: capabilities };
          const body = request.json();
          return refuseOllamaChat(body) ?? reply(answer(body));
        };
        const server = await loopback(handler);
        const model = ollama('m', { baseURL: server.url, apiKey });
        return { model, connections: server.connections, close: server.close };
      },
    }),
    {
      skip: {
        'forces a tool by the name that the vendor knows': 'The API has no field for it: the model is asked in words.',
        'keeps arguments that are not JSON, for the model to correct':
          'The server sends arguments as an object, parsed.',
        'reports a refusal by the model': 'The API has no word for a refusal.',
        'reports that a filter ended the turn': 'The API has no filter of contents.',
        'counts tokens read from the cache as input': 'The server does not count what its cache held.',
        'counts tokens written to the cache as input': 'The server does not count what its cache held.',
        'counts reasoning as output': 'The server does not count thoughts by themselves.',
        'tells a failed result from a successful one':
          'The wire format has no flag for it: the text of a result says what failed.',
      },
    },
  );
});
