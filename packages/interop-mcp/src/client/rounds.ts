import { isObject, toJson } from '@utensil/core';
import type { Json, JsonObject } from '@utensil/core';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { questionOf, resultOf } from './questions.ts';
import type { AskPerson, ElicitResult, McpAskContext } from './questions.ts';

/** The questions that a server asks before it ends a call. */
export interface Asked {
  /** By its own keys. */
  readonly requests: JsonObject;
  /** Returned to the server unchanged, with the answers. */
  readonly state?: string;
}

/** The answers that a repeated call carries. */
export interface Brought {
  readonly inputResponses?: { readonly [key: string]: ElicitResult };
  readonly requestState?: string;
}

/** The result of a call, or what its server wants to know. */
export type Round = { readonly result: CallToolResult } | { readonly asked: Asked };

/** Reads one answer of a server. */
export function roundOf(answer: object): Round {
  const { resultType, inputRequests, requestState } = answer as Readonly<Record<string, unknown>>;
  if (resultType !== 'input_required') return { result: answer as CallToolResult };
  const requests = isObject(inputRequests) ? (toJson(inputRequests) as JsonObject) : {};
  return { asked: { requests, ...(typeof requestState === 'string' && { state: requestState }) } };
}

/** Asks the person all of it. `later`: somebody else will answer. */
export async function answersTo(
  { requests, state }: Asked,
  ask: AskPerson | undefined,
  context: McpAskContext & { readonly server: string },
): Promise<Brought | 'later'> {
  const inputResponses: Record<string, ElicitResult> = {};
  for (const [key, request] of Object.entries(requests)) {
    const given = await answerTo(request, ask, context);
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
  ask: AskPerson | undefined,
  { server, ...context }: McpAskContext & { readonly server: string },
): Promise<ElicitResult | 'later'> {
  if (!isObject(request) || request['method'] !== 'elicitation/create' || ask === undefined)
    throw new Error('The server wants to know something that this client does not offer to tell.');
  const question = questionOf(request['params'], server);
  if ('refused' in question) throw new Error(`The server asked a question that nobody is shown: ${question.refused}`);
  const answer = await ask(question, context);
  return answer === 'later' ? 'later' : resultOf(question, answer);
}
