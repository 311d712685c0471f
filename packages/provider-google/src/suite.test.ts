import { type ModelBackend, type ModelSetup, type StreamedAnswer, modelSuite } from '@utensil/core/testing';
import { type Reply, loopback } from '@utensil/tooling-loopback';
import {
  type GoogleObject,
  geminiBody,
  geminiChunks,
  googleFailure,
  interactionEvents,
} from '@utensil/tooling-loopback/google';
import { type Validator, refuseGemini, refuseGeminiInteractions } from '@utensil/tooling-loopback/validators';
import { describe, test } from 'vitest';
import { google, googleInteractions } from './google.ts';
import { googleVertex } from './vertex/vertex.ts';

// Uses the official SDK over HTTP, against a local server. Its answers are written by hand, following the
// documentation.
type Make = (options: { apiKey: string; baseUrl: string }) => ReturnType<typeof google>;

interface Wire {
  readonly make: Make;
  readonly refuse: Validator;
  /** Prefix of its addresses. */
  readonly prefix?: string;
  reply(answer: StreamedAnswer): Reply;
}

function backend({ make, refuse, reply, prefix = '/' }: Wire): Pick<ModelBackend, 'open'> {
  return {
    async open(answer, { apiKey }: ModelSetup) {
      const server = await loopback((request) => {
        if (!request.path.startsWith(prefix)) return { status: 404, body: `No ${request.path} here.` };
        const refusal = refuse(request.json());
        if (refusal !== undefined) return refusal;
        const given = answer(request.json());
        return 'status' in given ? googleFailure(given) : reply(given);
      });
      const model = make({ apiKey, baseUrl: server.url });
      return { model, connections: () => server.connections(), close: () => server.close() };
    },
  };
}

const skip = {
  'limits a turn to one call': 'The API has no switch for it.',
  'counts tokens written to the cache as input': 'The API does not count it.',
  'reports a refusal by the model': 'The API has no reason for it, and says it in text.',
};

describe('google', () => {
  const noJson = {
    'keeps arguments that are not JSON, for the model to correct': 'Arguments are an object on the wire.',
  };
  const gemini: ModelBackend = {
    ...backend({ make: (options) => google('gemini-3.8-flash', options), refuse: refuseGemini, reply: fromGemini }),
    toolNames: functionNames,
  };
  modelSuite({ test }, () => gemini, { skip: { ...skip, ...noJson } });
});

describe('googleVertex', () => {
  const noJson = {
    'keeps arguments that are not JSON, for the model to correct': 'Arguments are an object on the wire.',
  };
  const make: Make = ({ apiKey, baseUrl }) =>
    googleVertex('gemini-3.8-flash', {
      ...{ project: 'p', location: 'europe-west1', baseUrl },
      googleAuthOptions: { authClient: credentials(apiKey) },
    });
  const vertex: ModelBackend = {
    ...backend({
      make,
      refuse: refuseGemini,
      reply: fromGemini,
      prefix: '/v1beta1/projects/p/locations/europe-west1/',
    }),
    toolNames: functionNames,
  };
  modelSuite({ test }, () => vertex, { skip: { ...skip, ...noJson } });
});

/** Credentials that need no network. */
function credentials(token: string) {
  return { getRequestHeaders: async () => new Headers({ authorization: `Bearer ${token}` }) } as never;
}

function functionNames(request: unknown): readonly string[] {
  const { tools = [] } = request as { tools?: { functionDeclarations?: { name: string }[] }[] };
  return tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
}

describe('googleInteractions', () => {
  const interactions: ModelBackend = {
    ...backend({
      make: (options) => googleInteractions('gemini-3.8-flash', options),
      refuse: refuseGeminiInteractions,
      reply: fromInteractions,
    }),
    toolNames: (request) => ((request as { tools?: { name: string }[] }).tools ?? []).map(({ name }) => name),
  };
  const filter = { 'reports that a filter ended the turn': 'The API has no status for it: see stream.test.ts.' };
  modelSuite({ test }, () => interactions, { skip: { ...skip, ...filter } });
});

const breaks = { truncated: 'destroy', hangs: 'hang', 'without-end': 'end' } as const;

/** Each event by itself, and the end as it is asked for. */
function play(events: readonly unknown[], error: unknown, { ends, unknownEvents = false }: StreamedAnswer): Reply {
  const all = unknownEvents
    ? events.flatMap((event) => [
        { event_type: 'news', news: 1 },
        { ...(event as GoogleObject), more: { a: 1 } },
      ])
    : events;
  const body = (shown: readonly unknown[]) => shown.map((event) => geminiBody([event]));
  if (ends === undefined) return { body: body(all) };
  if (ends === 'error') return { body: body([...all.slice(0, -1), error]) };
  return { body: body(all.slice(0, -1)), end: breaks[ends] };
}

function fromGemini(answer: StreamedAnswer): Reply {
  const { blocks, reason = 'stop', usage = {}, state } = answer;
  const { inputTokens = 10, outputTokens = 20, cacheReadTokens, reasoningTokens = 0 } = usage;
  const parts = blocks.flatMap((block): GoogleObject[] => {
    if (block.type !== 'call')
      return block.deltas.map((text) => ({ text, ...(block.type === 'reasoning' && { thought: true }) }));
    const args = block.deltas.length === 0 ? {} : { args: JSON.parse(block.deltas.join('')) as unknown };
    return [{ functionCall: { name: block.name, ...args } }];
  });
  const first = parts.findIndex((part) => 'functionCall' in part);
  if (state !== undefined && first !== -1) parts[first] = { ...parts[first], thoughtSignature: state };
  const reasons: Readonly<Record<string, string>> = { length: 'MAX_TOKENS', 'content-filter': 'SAFETY' };
  const chunks = geminiChunks([...parts, { text: '' }], {
    finishReason: reasons[reason] ?? 'STOP',
    usage: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens - reasoningTokens,
      ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
      ...(cacheReadTokens !== undefined && { cachedContentTokenCount: cacheReadTokens }),
    },
  });
  const error = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } };
  return play(chunks, error, answer);
}

function fromInteractions(answer: StreamedAnswer): Reply {
  const { blocks, reason = 'stop', usage = {}, state } = answer;
  const { inputTokens = 10, outputTokens = 20, cacheReadTokens, reasoningTokens = 0 } = usage;
  const steps = blocks.map((block, index): GoogleObject => {
    const said = block.deltas.join('');
    if (block.type === 'text') return { type: 'model_output', content: [{ type: 'text', text: said }] };
    if (block.type === 'call') return { type: 'function_call', id: `c${index}`, name: block.name, arguments: said };
    return { type: 'thought', summary: block.deltas.map((text) => ({ type: 'text', text })), signature: state };
  });
  const events = interactionEvents(steps, {
    ...(reason === 'length' && { status: 'incomplete' }),
    usage: {
      total_input_tokens: inputTokens,
      total_output_tokens: outputTokens - reasoningTokens,
      ...(reasoningTokens > 0 && { total_thought_tokens: reasoningTokens }),
      ...(cacheReadTokens !== undefined && { total_cached_tokens: cacheReadTokens }),
    },
  });
  return play(events, { event_type: 'error', error: { code: 'unavailable', message: 'Overloaded.' } }, answer);
}
