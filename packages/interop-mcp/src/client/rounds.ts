import { isObject, toJson } from '@utensil/core';
import type { Json, JsonObject } from '@utensil/core';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { mostQuestions, questionOf, resultOf } from './questions.ts';
import type { McpAskContext } from './questions.ts';
import type { McpSourceOptions } from './options.ts';
import { rootsOf } from './roots.ts';
import { sample } from './sampling.ts';
import type { SamplingCall } from './sampling.ts';

/** Requests of a server before it completes a call. */
export interface Asked {
  /** Keyed by the server. */
  readonly requests: JsonObject;
  /** Returned to the server unchanged, with the answers. */
  readonly state?: string;
}

/** Answers attached to a repeated call. */
export interface Brought {
  readonly inputResponses?: { readonly [key: string]: object };
  readonly requestState?: string;
}

/** The result of a call, or its server's requests. */
export type Round = { readonly result: CallToolResult } | { readonly asked: Asked };

/** Parses one answer of a server. */
export function roundOf(answer: object): Round {
  const { resultType, inputRequests, requestState } = answer as Readonly<Record<string, unknown>>;
  if (resultType !== 'input_required') return { result: answer as CallToolResult };
  const requests = isObject(inputRequests) ? (toJson(inputRequests) as JsonObject) : {};
  return { asked: { requests, ...(typeof requestState === 'string' && { state: requestState }) } };
}

/** A call whose server has requests. */
export interface AskingCall extends McpAskContext, SamplingCall {
  readonly callId: string;
}

/** The call, with the server's name for people. */
interface Asking {
  readonly server: string;
  readonly call: AskingCall;
}

/** Maximum characters of a server's requests and state, which a thread may store. */
const longest = 256 * 1024;

/** Answers all requests. `later`: somebody else will answer. */
export async function answersTo(
  { requests, state }: Asked,
  options: McpSourceOptions,
  asking: Asking,
): Promise<Brought | 'later'> {
  const inputResponses: Record<string, object> = {};
  const { length } = JSON.stringify([requests, state ?? null]);
  if (length > longest) throw new Error(`The server asked with ${length} characters; ${longest} are allowed.`);
  for (const [key, request] of Object.entries(requests)) {
    const given = await answerTo(request, options, asking);
    if (given === 'later') return 'later';
    inputResponses[key] = given;
  }
  return {
    ...(Object.keys(inputResponses).length > 0 && { inputResponses }),
    ...(state !== undefined && { requestState: state }),
  };
}

async function answerTo(
  request: Json,
  { ask, sampling, roots }: McpSourceOptions,
  { server, call }: Asking,
): Promise<object | 'later'> {
  const { method, params } = isObject(request) ? request : {};
  if (method === 'elicitation/create' && ask !== undefined) {
    const question = questionOf(params, server);
    if ('refused' in question) throw new Error(`The server asked a question that nobody is shown: ${question.refused}`);
    const { signal, callId, principal, isParked } = call;
    if (call.asked >= mostQuestions)
      throw new Error(`The server asked more than ${mostQuestions} questions in one call.`);
    call.asked++;
    const answer = await ask(question, { signal, callId, ...(principal && { principal }), isParked });
    return answer === 'later' ? 'later' : resultOf(question, answer);
  }
  if (method === 'sampling/createMessage' && sampling !== undefined) return sample(params, sampling, { server, call });
  if (method === 'roots/list' && roots !== undefined) return { roots: await rootsOf(roots) };
  throw new Error('The server wants to know something that this client does not offer to tell.');
}
