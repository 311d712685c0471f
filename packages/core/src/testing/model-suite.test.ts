// The suite has its own test here: a good model of a vendor in memory passes, and the good one with one function changed
// fails the test that is about that function, and no other.

import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Finish, ModelPart, ModelRequest } from '../model/model.ts';
import { noUsage } from '../model/usage.ts';
import { wireName } from '../model/wire-name.ts';
import { plainObjectSchema } from '../schema/plain-object.ts';
import { api, good, played } from '../test-kit/played-vendor.ts';
import type { Body, Functions, Turn, simple } from '../test-kit/played-vendor.ts';
import type { FailedAnswer } from './model-answer.ts';
import { modelCases, modelSuite } from './model-suite.ts';
import type { ModelCaseName } from './model-suite.ts';

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
    'gives it up for good': { isRetryable: ({ ends, blocks }) => ends !== 'without-end' || blocks.length === 0 },
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
    'takes the failure for the last word': { isRetryable: ({ ends }) => ends !== 'error' },
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
    'writes capitals small': { toName: (name) => wireName(name === 'Files-Read' ? 'files-read' : name) },
    'has no hyphens in names': {
      toCall: (block, callId, turn) => good.toCall({ ...block, name: block.name.replace('s-r', 's_r') }, callId, turn),
    },
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
    'forces whichever tool it declared first': {
      toChoice: (request) =>
        typeof request.toolChoice === 'string' || request.tools.length < 2
          ? good.toChoice(request)
          : { tool: request.tools[0]?.name },
    },
    'takes required for auto': {
      toChoice: (request) => (request.toolChoice === 'required' ? 'auto' : good.toChoice(request)),
    },
  },
  'merges provider options into the request, and prefers them': {
    'sends nothing but them': eachBody((body, { tools, providerOptions }) =>
      providerOptions === undefined ? body : { tools, messages: body.messages, ...providerOptions },
    ),
    'does not send them': {
      toBody: ({ providerOptions: _, ...request }, functions) => good.toBody(request, functions),
    },
    'prefers its own members': eachBody((body, { maxOutputTokens }) => ({ ...body, limit: maxOutputTokens })),
    'has no limit of tokens': eachBody(({ limit: _, ...body }) => body),
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
  'tells a failed result from a successful one': {
    'sends the text alone': {
      toMessage: ({ parts, ...message }) =>
        good.toMessage({
          ...message,
          parts: parts.map((part) => (part.type === 'tool-result' ? { ...part, isError: false } : part)),
        }),
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
  'writes the time into each request': [
    'sends the settings that it declares, and no others',
    'merges provider options into the request, and prefers them',
  ],
  'begins no call': ['adapts names that the vendor does not accept, and restores them in calls'],
  'gives the vendor their names as they are': ['forces a tool by the name that the vendor knows'],
  'gives every call the same id': ['adapts names that the vendor does not accept, and restores them in calls'],
  'throws what is not its own': [
    'ends at once if aborted before the first byte',
    'ends at once if aborted in the middle of a stream',
  ],
  'takes a broken connection for good': [
    'keeps the parts that arrived before the connection broke',
    'notices an answer that does not end',
  ],
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
