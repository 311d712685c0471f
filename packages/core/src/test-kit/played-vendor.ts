// A vendor in memory, whose model is made of functions that a test of a suite can replace.

import { UtensilError } from '../base/errors.ts';
import type { ErrorCode, ErrorDetails } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Part, ToolResultPart } from '../model/message.ts';
import type { Finish, Model, ModelPart, ModelRequest } from '../model/model.ts';
import { withoutKeys } from '../model/scrub.ts';
import { parseToolInput } from '../model/tool-input.ts';
import { noUsage } from '../model/usage.ts';
import { wellFormed } from '../model/well-formed.ts';
import { fromWireName, wireName } from '../model/wire-name.ts';
import type { AnswerBlock, FailedAnswer, ModelAnswer, StreamedAnswer } from '../testing/model-answer.ts';
import type { ModelBackend } from '../testing/model-suite.ts';

/** Request to the vendor. */
export interface Body {
  readonly system?: string;
  readonly tools: readonly { readonly name: string }[];
  readonly choice: unknown;
  readonly parallel?: boolean | undefined;
  readonly temperature?: number | undefined;
  readonly limit?: number | undefined;
  readonly messages: readonly JsonObject[];
}

/** A request and its answer. */
export interface Turn {
  readonly answer: StreamedAnswer;
  readonly request: ModelRequest;
  /** Number of this turn. */
  readonly number: number;
}

/** Wire format of the vendor. */
export const api = 'played';

const toResult = ({ callId, modelParts, isError }: ToolResultPart): object => ({
  type: 'tool-result',
  callId,
  content: modelParts,
  ...(isError && { isError }),
});

/** A call that another vendor has run has no place here. */
const isOurs = (part: Part): boolean => part.type !== 'tool-call' || part.executedBy === 'us';

/** A model in functions, each of which a defect may replace. */
export const simple = {
  toName: (name: string): string => wireName(name),
  toChoice: ({ toolChoice }: ModelRequest): unknown =>
    typeof toolChoice === 'string' ? toolChoice : { tool: wireName(toolChoice.tool) },
  toMessage: ({ role, parts, origin }: ModelRequest['messages'][number]): JsonObject => ({
    role,
    parts: parts.filter(isOurs).map((part) => {
      if (part.type !== 'tool-call') return part.type === 'tool-result' ? toResult(part) : part;
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
  isRetryable: (_: StreamedAnswer): boolean => true,
};

/** All functions of a model that has no defect. */
export const good = {
  ...simple,
  toBody: (
    { system, tools, messages, parallel, maxOutputTokens: limit, providerOptions, ...request }: ModelRequest,
    functions: typeof simple,
  ): unknown => ({
    system,
    tools: tools.map(({ name, ...tool }) => ({ ...tool, name: functions.toName(name) })),
    choice: functions.toChoice({ system, tools, messages, ...request }),
    parallel,
    temperature: request.temperature,
    limit,
    messages: messages.map(functions.toMessage),
    ...providerOptions,
  }),
  toParts: (turn: Turn, functions: typeof simple): readonly ModelPart[] =>
    turn.answer.blocks.flatMap((block, index) =>
      block.type === 'call' ? functions.toCall(block, `call_${turn.number}_${index}`, turn) : functions.toText(block),
    ),
};

export type Functions = typeof good;

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
export function played(functions: Functions): ModelBackend {
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
          if (code !== undefined)
            throw functions.toError(code, 'It broke off.', { retryable: functions.isRetryable(turn.answer) });
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
