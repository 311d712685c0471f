// The suite has its own test here: a good model of a vendor in memory passes, and the good one with one function changed
// fails the test that is about that function, and no other.

import { describe, expect, it } from 'vitest';
import { UtensilError } from '../base/errors.ts';
import type { ErrorCode, ErrorDetails } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Part } from '../model/message.ts';
import type { Finish, Model, ModelPart, ModelRequest } from '../model/model.ts';
import { noUsage } from '../model/usage.ts';
import { plainObjectSchema } from '../schema/plain-object.ts';
import { parseToolInput } from '../model/tool-input.ts';
import { withoutKeys } from '../model/scrub.ts';
import { wellFormed } from '../model/well-formed.ts';
import { fromWireName, wireName } from '../model/wire-name.ts';
import type { AnswerBlock, FailedAnswer, ModelAnswer, StreamedAnswer } from './model-answer.ts';
import { modelCases, modelSuite } from './model-suite.ts';
import type { ModelBackend, ModelCaseName } from './model-suite.ts';

interface Body {
  readonly system?: string;
  readonly tools: readonly { readonly name: string }[];
  readonly choice: unknown;
  readonly parallel?: boolean | undefined;
  readonly temperature?: number | undefined;
  readonly messages: readonly JsonObject[];
}

interface Turn {
  readonly answer: StreamedAnswer;
  readonly request: ModelRequest;
  /** Number of this turn. */
  readonly number: number;
}

const api = 'played';

const toResult = (callId: string, content: readonly unknown[]): object => ({ type: 'tool-result', callId, content });

/** A call that another vendor has run has no place here. */
const isOurs = (part: Part): boolean => part.type !== 'tool-call' || part.executedBy === 'us';

/** A model in functions, each of which a defect may replace. */
const simple = {
  toName: (name: string): string => wireName(name),
  toChoice: ({ toolChoice }: ModelRequest): unknown =>
    typeof toolChoice === 'string' ? toolChoice : { tool: wireName(toolChoice.tool) },
  toMessage: ({ role, parts, origin }: ModelRequest['messages'][number]): JsonObject => ({
    role,
    parts: parts.filter(isOurs).map((part) => {
      if (part.type !== 'tool-call') return part.type === 'tool-result' ? toResult(part.callId, part.modelParts) : part;
      return { ...part, name: wireName(part.name) };
    }) as readonly object[] as readonly Json[],
    ...(origin?.api === api && origin.state !== undefined && { state: origin.state }),
  }),
  mend: (body: unknown): unknown => wellFormed(body),
  toText: (block: AnswerBlock): readonly ModelPart[] =>
    block.deltas.map((text) => ({ type: block.type === 'reasoning' ? 'reasoning-delta' : 'text-delta', text })),
  toCall: (block: AnswerBlock & { type: 'call' }, callId: string, { request }: Turn): readonly ModelPart[] => {
    const name = fromWireName(block.name, request.tools);
    return [
      { type: 'tool-input-start', callId, name },
      ...block.deltas.map((delta): ModelPart => ({ type: 'tool-input-delta', callId, delta })),
      { type: 'tool-call', callId, name, executedBy: 'us', ...parseToolInput(block.deltas.join('')) },
    ];
  },
  toFinish: ({ answer: { blocks, reason, usage, state } }: Turn): readonly ModelPart[] => {
    const hasCalls = blocks.some(({ type }) => type === 'call');
    const finish: Finish = {
      type: 'finish',
      reason: hasCalls ? 'tool-calls' : (reason ?? 'stop'),
      usage: { ...noUsage, ...usage },
      ...(state !== undefined && { state }),
    };
    return [finish];
  },
  toError: (code: ErrorCode, said: string, details: ErrorDetails = {}): unknown =>
    new UtensilError(code, said, details),
  scrub: (said: string, apiKey: string): string => withoutKeys(said, apiKey),
  codeOf: ({ status, isTooLong }: FailedAnswer): ErrorCode =>
    isTooLong === true
      ? 'prompt_too_long'
      : (codes.get(status) ?? (status >= 500 ? 'model_failed' : 'model_request_invalid')),
  isFailure: (answer: ModelAnswer): answer is FailedAnswer => 'status' in answer,
  isAborted: ({ aborted }: AbortSignal, _when: 'before' | 'reading' | 'waiting'): boolean => aborted,
  waitOf: ({ retryAfter }: FailedAnswer): number | undefined =>
    retryAfter === undefined ? undefined : retryAfter * 1000,
  close: (connections: Set<object>, connection: object): unknown => connections.delete(connection),
  codeAtEnd: ({ ends }: StreamedAnswer): ErrorCode | undefined => {
    if (ends === 'error') return 'model_failed';
    return ends === undefined ? undefined : 'stream_truncated';
  },
};

const good = {
  ...simple,
  toBody: ({ system, tools, messages, parallel, ...request }: ModelRequest, functions: typeof simple): unknown => ({
    system,
    tools: tools.map(({ name, ...tool }) => ({ ...tool, name: functions.toName(name) })),
    choice: functions.toChoice({ system, tools, messages, ...request }),
    parallel,
    temperature: request.temperature,
    messages: messages.map(functions.toMessage),
  }),
  toParts: (turn: Turn, functions: typeof simple): readonly ModelPart[] =>
    turn.answer.blocks.flatMap((block, index) =>
      block.type === 'call' ? functions.toCall(block, `call_${turn.number}_${index}`, turn) : functions.toText(block),
    ),
};

type Functions = typeof good;

const codes: ReadonlyMap<number, ErrorCode> = new Map([
  [200, 'model_failed'],
  [401, 'model_unauthorized'],
  [404, 'model_not_found'],
  [429, 'model_rate_limited'],
  [529, 'model_overloaded'],
]);

/** Reason why the in-memory vendor refuses a request. */
function problemOf({ tools, choice, messages }: Body): string | undefined {
  const calls = JSON.stringify(messages).matchAll(/"type":"tool-call","callId":"[^"]*","name":"([^"]*)"/g);
  const names = [...tools, ...Array.from(calls, ([, name = '']) => ({ name }))];
  const bad = names.find(({ name }) => !/^[A-Za-z0-9_-]{1,64}$/.test(name));
  if (bad !== undefined) return `${bad.name} is no name.`;
  if (typeof choice === 'object' && !tools.some(({ name }) => name === (choice as { tool: string }).tool))
    return 'There is no such tool to choose.';
  const asked = JSON.stringify(messages).match(/"type":"tool-call"/g)?.length ?? 0;
  const answered = JSON.stringify(messages).match(/"type":"tool-result"/g)?.length ?? 0;
  return asked === answered ? undefined : `${asked} calls have ${answered} results.`;
}

/** A vendor without a wire, whose model is made of these functions. */
function played(functions: Functions): ModelBackend {
  return {
    toolNames: (request) => (request as Body).tools.map(({ name }) => name),
    open: async (answer, { apiKey }) => {
      const connections = new Set<object>();
      let turns = 0;
      const ask = (body: Body): ModelAnswer => {
        const message = problemOf(body);
        return message === undefined ? answer(body) : { status: 400, message };
      };
      const fail = (failed: FailedAnswer): unknown => {
        const { status, message = '', page = '' } = failed;
        const said = functions.scrub((message || page).slice(0, 500), apiKey);
        const asked = functions.waitOf(failed);
        const wait = asked !== undefined && { retryAfterMs: asked };
        return functions.toError(functions.codeOf(failed), said, {
          retryable: status === 429 || status >= 500,
          ...wait,
        });
      };
      async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
        const refuse = (when: 'before' | 'reading' | 'waiting'): void => {
          if (functions.isAborted(signal, when)) throw functions.toError('aborted', 'The request was aborted.');
        };
        refuse('before');
        const connection = {};
        connections.add(connection);
        try {
          const body = JSON.parse(JSON.stringify(functions.mend(functions.toBody(request, functions)))) as Body;
          const given = ask(body);
          if (functions.isFailure(given)) throw fail(given);
          const turn = { answer: given, request, number: ++turns };
          for (const part of functions.toParts(turn, functions)) {
            await Promise.resolve();
            refuse('reading');
            yield part;
          }
          if (turn.answer.ends === 'hangs') await abortOf(signal);
          refuse('waiting');
          const code = functions.codeAtEnd(turn.answer);
          if (code !== undefined) throw functions.toError(code, 'It broke off.', { retryable: true });
          yield* functions.toFinish(turn);
        } finally {
          functions.close(connections, connection);
        }
      }
      const model: Model = {
        info: { api, id: 'played-1', supports: { settings: { temperature: true } } },
        stream: (request, { signal }) => stream(request, signal),
      };
      return { model, connections: () => connections.size, close: async () => {} };
    },
  };
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

type Defects = Partial<Record<ModelCaseName, Readonly<Record<string, Partial<Functions>>>>>;

const eachPart = (change: (part: ModelPart) => readonly ModelPart[]): Partial<Functions> => ({
  toParts: (turn, functions) => good.toParts(turn, functions).flatMap(change),
});
const eachFinish = (change: (finish: Finish, turn: Turn) => Partial<Finish>): Partial<Functions> => ({
  toFinish: (turn) => good.toFinish(turn).map((part) => ({ ...part, ...change(part as Finish, turn) }) as Finish),
});
const eachUsage = (name: keyof typeof noUsage): Partial<Functions> =>
  eachFinish(({ usage }) => ({ usage: { ...usage, [name]: 0 } }));
const eachBody = (change: (body: Body, request: ModelRequest) => unknown): Partial<Functions> => ({
  toBody: (request, functions) => change(good.toBody(request, functions) as Body, request),
});
const codeFor = (status: number, code: ErrorCode): Partial<Functions> => ({
  codeOf: (failed) => (failed.status === status && failed.isTooLong !== true ? code : good.codeOf(failed)),
});
let count = 0;

const planted: Defects = {
  'streams text in order, and finishes last': {
    'gives a text in one piece': {
      toText: (block) =>
        block.deltas.length > 3 ? good.toText({ ...block, deltas: [block.deltas.join('')] }) : good.toText(block),
    },
    'reads bytes for characters': eachPart((part) =>
      part.type === 'text-delta' ? [{ ...part, text: part.text.replace('\u{1f4cf}', '\ufffd') }] : [part],
    ),
  },
  'streams reasoning before text': {
    'drops what the model thinks': eachPart((part) => (part.type === 'reasoning-delta' ? [] : [part])),
  },
  'accepts a call without arguments': {
    'takes no arguments for broken ones': {
      toCall: (block, callId, turn) =>
        good
          .toCall(block, callId, turn)
          .map((part) =>
            part.type === 'tool-call' && block.deltas.length === 0 ? { ...part, invalidInput: '' } : part,
          ),
    },
  },
  'reports two calls of one turn in order, each begun before it is complete': {
    'gives every call the same id': { toCall: (block, _, turn) => good.toCall(block, 'call', turn) },
    'begins no call': eachPart((part) =>
      part.type === 'tool-input-start' && part.callId === 'call_1_1' ? [] : [part],
    ),
  },
  'joins the arguments of a call from fragments': {
    'begins a call with each fragment': {
      toCall: (block, callId, turn) =>
        good
          .toCall(block, callId, turn)
          .flatMap((part, index) =>
            index > 1 && part.type === 'tool-input-delta' && block.deltas.length > 3
              ? [{ type: 'tool-input-start', callId, name: block.name }, part]
              : [part],
          ),
    },
    'drops a fragment': eachPart((part) => (part.type === 'tool-input-delta' && part.delta === '{' ? [] : [part])),
  },
  'keeps arguments that are not JSON, for the model to correct': {
    'drops what is no JSON': eachPart((part) => {
      if (part.type !== 'tool-call') return [part];
      const { invalidInput: _, ...rest } = part;
      return [rest];
    }),
  },
  'keeps text and calls in the order of the stream': {
    'gives calls last': {
      toParts: (turn, functions) => {
        const parts = good.toParts(turn, functions);
        const isText = ({ type }: ModelPart): boolean => type.endsWith('text-delta') || type === 'reasoning-delta';
        return [...parts.filter(isText), ...parts.filter((part) => !isText(part))];
      },
    },
  },
  'reports calls for every finish reason': {
    'believes the reason': {
      toParts: (turn, functions) =>
        good.toParts(turn, functions).filter(({ type }) => !(type === 'tool-call' && turn.answer.reason === 'stop')),
    },
  },
  'reports that the output limit ended the turn': {
    'knows no limit': eachFinish(({ reason }) => ({ reason: reason === 'length' ? 'stop' : reason })),
  },
  'reports a refusal by the model': {
    'knows no refusal': eachFinish(({ reason }) => ({ reason: reason === 'refusal' ? 'stop' : reason })),
  },
  'reports that a filter ended the turn': {
    'knows no filter': eachFinish(({ reason }) => ({ reason: reason === 'content-filter' ? 'stop' : reason })),
  },
  'ignores unknown events and members': {
    'shows what it does not know': {
      toParts: (turn, functions) => [
        ...good.toParts(turn, functions),
        ...(turn.answer.unknownEvents === true ? [{ type: 'text-delta', text: '[unknown]' } as const] : []),
      ],
    },
  },
  'counts input and output tokens': {
    'counts nothing that is not cached': eachFinish(({ usage }) =>
      usage.outputTokens === 34 && usage.reasoningTokens === 0 ? { usage: noUsage } : {},
    ),
  },
  'counts tokens read from the cache as input': { 'counts no hits': eachUsage('cacheReadTokens') },
  'counts tokens written to the cache as input': { 'counts no writes': eachUsage('cacheWriteTokens') },
  'counts reasoning as output': { 'counts no reasoning': eachUsage('reasoningTokens') },
  'answers two requests at once, each by itself': {
    'has one turn for all': (() => {
      let last: Turn | undefined;
      return {
        toParts: (turn: Turn, functions: typeof simple) => {
          const isBoth = JSON.stringify(turn.request).includes('Second.');
          const parts = good.toParts(isBoth && last !== undefined ? last : turn, functions);
          last = turn;
          return parts;
        },
      };
    })(),
  },
  'keeps the parts that arrived before the connection broke': {
    'gives up what came': {
      toParts: (turn, functions) => (turn.answer.ends === 'truncated' ? [] : good.toParts(turn, functions)),
    },
  },
  'notices an answer that does not end': {
    'takes every end for the end': {
      codeAtEnd: (answer) =>
        answer.ends === 'without-end' && answer.blocks.length > 0 ? undefined : good.codeAtEnd(answer),
    },
  },
  'notices an answer that does not begin': {
    'takes nothing for an answer': {
      codeAtEnd: (answer) =>
        answer.blocks.length === 0 && answer.ends === 'without-end' ? undefined : good.codeAtEnd(answer),
    },
  },
  'keeps the parts that arrived before the vendor failed': {
    'takes every failure for a broken connection': {
      codeAtEnd: (answer) => (answer.ends === 'error' ? 'stream_truncated' : good.codeAtEnd(answer)),
    },
  },
  'reports a refused key': { 'knows no 401': codeFor(401, 'model_failed') },
  'reports a missing model': { 'knows no 404': codeFor(404, 'model_request_invalid') },
  'reports a rate limit, and how long to wait': {
    'knows no 429': codeFor(429, 'model_overloaded'),
    'does not listen': { waitOf: () => undefined },
  },
  'is retried by a run until the server and the connection recover': {
    'takes a broken connection for good': {
      toError: (code, said, details) => good.toError(code, said, code === 'stream_truncated' ? {} : details),
    },
  },
  'reports a server failure': { 'knows no 500': codeFor(500, 'model_overloaded') },
  'reports an overloaded server': { 'knows no 529': codeFor(529, 'model_failed') },
  'reports a conversation that is too long': {
    'reads no reason': {
      codeOf: (failed) => (failed.isTooLong === true ? 'model_request_invalid' : good.codeOf(failed)),
    },
  },
  'does not accept an error as an answer': {
    'looks at the status only': {
      isFailure: (answer): answer is FailedAnswer =>
        good.isFailure(answer) && !(answer.status === 200 && answer.message?.startsWith('The upstream') === true),
      toParts: (turn, functions) => ('status' in turn.answer ? [] : good.toParts(turn, functions)),
      toFinish: (turn) => good.toFinish('status' in turn.answer ? { ...turn, answer: { blocks: [] } } : turn),
    },
  },
  'does not accept a web page as an answer': {
    'quotes the whole page': {
      toError: (code, said, details) =>
        good.toError(code, said.startsWith('<!doctype') ? said.repeat(10) : said, details),
    },
  },
  'has no key in an error': { 'quotes the vendor': { scrub: (said) => said } },
  'sends no request if it was aborted before': {
    'asks first': { isAborted: ({ aborted }, when) => aborted && when !== 'before' },
    'throws what is not its own': {
      toError: (code, said, details) =>
        code === 'aborted' && count++ >= 0 ? new DOMException(said, 'AbortError') : good.toError(code, said, details),
    },
  },
  'ends at once if aborted before the first byte': {
    'takes an abort for a broken connection': { isAborted: ({ aborted }, when) => aborted && when !== 'waiting' },
  },
  'ends at once if aborted in the middle of a stream': {
    'gives what had come already': { isAborted: ({ aborted }, when) => aborted && when !== 'reading' },
  },
  'closes the connection when its reader stops': { 'leaves connections open': { close: () => undefined } },
  'sends the instructions and the messages': { 'forgets its instructions': eachBody(({ system: _, ...body }) => body) },
  'sends the same request as the same bytes': {
    'writes the time into each request': eachBody((body) => ({ ...body, time: ++count })),
  },
  'sends a request without tools and instructions': {
    'invents a tool': eachBody((body) => ({ ...body, tools: body.tools.length > 0 ? body.tools : [{ name: 'none' }] })),
  },
  'adapts names that the vendor does not accept, and restores them in calls': {
    'gives the vendor their names as they are': { toName: (name) => (name === 'file read' ? wireName(name) : name) },
    'forgets what the names were': {
      toCall: (block, callId, turn) => good.toCall(block, callId, { ...turn, request: { ...turn.request, tools: [] } }),
    },
  },
  'forces a tool by the name that the vendor knows': {
    'forces it by its own name': { toChoice: ({ toolChoice }) => toolChoice },
  },
  'declares a hundred tools': {
    'declares no more than 64': eachBody((body) => ({ ...body, tools: body.tools.slice(0, 64) })),
  },
  'declares tools with unusual schemas': {
    'leaves out tools without properties': eachBody((body, { tools }) => ({
      ...body,
      tools: body.tools.filter((_, index) => {
        const tool = tools[index];
        return tool?.type === 'function' && tool.inputSchema['anyOf'] === undefined;
      }),
    })),
  },
  'describes the forms of an input that is one of several objects': {
    'tells of their fields alone': eachBody((body, { tools }) => ({
      ...body,
      tools: body.tools.map(({ name }, index) => {
        const tool = tools[index];
        return tool?.type === 'function'
          ? { ...tool, name, inputSchema: plainObjectSchema(tool.inputSchema) }
          : { name };
      }),
    })),
  },
  'sends the settings that it declares, and no others': {
    'forgets the temperature': eachBody(({ temperature: _, ...body }) => body),
    'sends a seed that it does not speak of': eachBody((body, { seed }) => ({ ...body, seed })),
  },
  'sends the tool choice': {
    'takes required for auto': {
      toChoice: (request) => (request.toolChoice === 'required' ? 'auto' : good.toChoice(request)),
    },
  },
  'limits a turn to one call': { 'does not ask': eachBody(({ parallel: _, ...body }) => body) },
  'sends the results of all calls': {
    'leaves out empty results': {
      toMessage: (message) => {
        const isEmpty = message.parts.some(
          (part) => part.type === 'tool-result' && !part.isError && JSON.stringify(part.modelParts).includes('""'),
        );
        return good.toMessage(isEmpty ? { ...message, parts: [] } : message);
      },
    },
  },
  'sends a picture by the user': {
    'reads no more than the words': {
      toMessage: ({ parts, ...message }) =>
        good.toMessage({ ...message, parts: parts.filter(({ type }) => message.role !== 'user' || type !== 'image') }),
    },
  },
  'sends a picture that a tool returned': {
    'takes the words of a result alone': {
      toMessage: ({ parts, ...message }) =>
        good.toMessage({
          ...message,
          parts: parts.map((part) =>
            part.type === 'tool-result'
              ? { ...part, modelParts: part.modelParts.filter(({ type }) => type === 'text') }
              : part,
          ),
        }),
    },
  },
  'sends a failure without text': {
    'leaves out empty failures': {
      toMessage: (message) => {
        const isEmpty = message.parts.some(
          (part) => part.type === 'tool-result' && part.isError && JSON.stringify(part.modelParts).includes('""'),
        );
        return good.toMessage(isEmpty ? { ...message, parts: [] } : message);
      },
    },
  },
  'sends a call by a name that the vendor does not accept': {
    'hands it back as it came': {
      toMessage: (message) =>
        JSON.stringify(message).includes('"list files"')
          ? { role: message.role, parts: message.parts as readonly object[] as readonly Json[] }
          : good.toMessage(message),
    },
  },
  'sends a result for a call that has none': {
    'says nothing of it': {
      toMessage: (message) => {
        const isOpen = JSON.stringify(message.parts).includes('This call has no result');
        return isOpen ? { parts: [{ type: 'tool-result', callId: 'call_1_1', content: [] }] } : good.toMessage(message);
      },
    },
  },
  'sends a call whose arguments are not JSON': {
    'leaves the call out': {
      toMessage: ({ parts, ...message }) =>
        good.toMessage({ ...message, parts: parts.filter((part) => !('invalidInput' in part)) }),
    },
  },
  'sends provider data back to its own API': {
    'forgets it': { toMessage: (message) => ({ ...good.toMessage(message), state: null }) },
  },
  'sends provider data to no other API': {
    'gives it to everybody': {
      toMessage: (message) => {
        const { origin } = message;
        const isForeign = typeof origin?.state === 'string' && origin.api !== api;
        return { ...good.toMessage(message), ...(isForeign && { state: origin.state }) };
      },
    },
  },
  'accepts the history of another model': {
    'takes every state for its own': {
      toMessage: (message) => {
        const { origin } = message;
        const isForeign = typeof origin?.state === 'object' && origin.api !== api;
        return { ...good.toMessage(message), ...(isForeign && { state: origin.state }) };
      },
    },
  },
  'accepts any history that core has arranged': {
    'knows no arguments that are an empty text': eachBody((body) =>
      JSON.stringify(body).includes('{"path":""}') ? { ...body, choice: { tool: 'none' } } : body,
    ),
  },
  'accepts a text with half of a surrogate pair': { 'mends nothing': { mend: (body) => body } },
  'accepts arguments with half of a surrogate pair': {
    'writes the arguments as JSON before it mends the body': {
      toMessage: (message) => {
        const { parts, ...rest } = good.toMessage(message);
        const written = (parts as readonly JsonObject[]).map((part) =>
          part['type'] === 'tool-call' ? { ...part, input: JSON.stringify(part['input']) } : part,
        );
        return { ...rest, parts: written };
      },
    },
  },
};

/** Broad tests: each covers the work of many others, so a defect in those fails these too. */
const broad: Partial<Record<string, readonly ModelCaseName[]>> = {
  'mends nothing': ['accepts arguments with half of a surrogate pair'],
  'writes the time into each request': ['sends the settings that it declares, and no others'],
  'begins no call': ['adapts names that the vendor does not accept, and restores them in calls'],
  'gives the vendor their names as they are': ['forces a tool by the name that the vendor knows'],
  'gives every call the same id': ['adapts names that the vendor does not accept, and restores them in calls'],
  'throws what is not its own': [
    'ends at once if aborted before the first byte',
    'ends at once if aborted in the middle of a stream',
  ],
  'takes a broken connection for good': ['keeps the parts that arrived before the connection broke'],
  'leaves connections open': [
    'ends at once if aborted before the first byte',
    'ends at once if aborted in the middle of a stream',
  ],
};

/** Does a little of everything, so a defect of something else may show in it. */
const wide: ModelCaseName = 'accepts any history that core has arranged';

/** Waits half a second, so only its own defect is tried with it. */
const slow: ModelCaseName = 'is retried by a run until the server and the connection recover';

/** The names of the tests that fail for a model. */
async function failures(functions: Functions, left?: ModelCaseName): Promise<readonly string[]> {
  const failed: string[] = [];
  const running: Promise<void>[] = [];
  const test = (name: string, body: () => Promise<void> | void): void => {
    if (name === left) return;
    running.push(Promise.resolve(body()).catch(() => void failed.push(name)));
  };
  modelSuite({ test }, () => played(functions));
  await Promise.all(running);
  return failed;
}

describe('modelSuite', () => {
  it('finds nothing wrong with a good model', async () => {
    expect(await failures(good)).toEqual([]);
  });

  it('has a planted defect for each of its tests', () => {
    expect(Object.keys(planted).toSorted()).toEqual(modelCases.toSorted());
  });

  for (const [name, defects] of Object.entries(planted)) {
    it.each(Object.keys(defects))(`fails '${name}' for a model that %s`, async (defect) => {
      const failed = await failures({ ...good, ...defects[defect] }, name === slow ? undefined : slow);
      const others: readonly string[] = [...(broad[defect] ?? []), ...(name === wide ? [] : [wide])];
      expect(failed.filter((each) => !others.includes(each))).toEqual([name]);
    });
  }

  describe('leaves a test out for a reason given in a sentence', () => {
    const name = 'limits a turn to one call';
    const title = `leaves out '${name}': There is no switch for it.`;
    const skip = { [name]: 'There is no switch for it.' } as const;
    const registered = (functions: Functions): ReadonlyMap<string, () => Promise<void> | void> => {
      const bodies = new Map<string, () => Promise<void> | void>();
      modelSuite({ test: (each, body) => bodies.set(each, body) }, () => played(functions), { skip });
      return bodies;
    };

    it('and says so in place of it', () => {
      expect([...registered(good).keys()]).toEqual(modelCases.map((each) => (each === name ? title : each)));
    });

    it('as long as it fails', async () => {
      await expect(registered({ ...good, ...planted[name]?.['does not ask'] }).get(title)?.()).resolves.toBeUndefined();
      await expect(registered(good).get(title)?.()).rejects.toThrow(`The model passes '${name}'`);
    });
  });

  it.each([
    { 'limits a turn to one call': 'slow' },
    { 'limits a turn to two calls': 'There is no test of that name.' },
  ])('refuses to skip %o', (skip) => {
    expect(() => modelSuite({ test: () => {} }, () => played(good), { skip })).toThrow(/limits a turn/);
  });
});
