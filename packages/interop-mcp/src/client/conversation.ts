import { result, toJson } from '@utensil/core';
import type { Json, JsonObject, Tool, ToolContext } from '@utensil/core';
import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import type { CallOwner } from './call-seals.ts';
import { callOnce, labelOf } from './call-tool.ts';
import type { Called } from './call-tool.ts';
import { answersTo } from './rounds.ts';
import type { Asked, AskingCall, Brought, Round } from './rounds.ts';
import { toOutput } from './to-output.ts';

/** Maximum number of questions of a server in one call. */
const mostRounds = 10;

/** Milliseconds in which a waiting call can be answered. */
const usualAnswerTime = 86_400_000;

/** Calls a tool, and repeats the call with each answer that the server asks for. */
export function conversation(tool: ListedTool, called: Called): Required<Pick<Tool, 'execute' | 'settle'>> {
  const { options, seals } = called;

  async function goOn(input: JsonObject, first: Round, context: Around): Promise<unknown> {
    let round = first;
    for (let count = 0; 'asked' in round; count++) {
      if (count >= mostRounds)
        throw new Error(`${labelOf(called)} asked ${mostRounds} times, and did not end the call.`);
      const brought = await answers(round.asked, context);
      if (brought === 'later') return parked(input, round.asked, context);
      round = await callOnce(tool, { name: tool.name, input, context, brought }, called);
    }
    return toOutput(round.result, { hasOutput: tool.outputSchema !== undefined });
  }

  function answers(asked: Asked, context: Around): Promise<Brought | 'later'> {
    return answersTo(asked, options, { server: labelOf(called), call: context });
  }

  /** A background call waits for its answer: there is no caller to return to. */
  async function parked(input: JsonObject, { requests, state }: Asked, context: Around): Promise<unknown> {
    if (context.isParked) return untilAborted(context.signal);
    const expiresAt = context.now() + (options.answerTimeMs ?? usualAnswerTime);
    const call = { tool: tool.name, input, requests, state: state ?? null, expiresAt };
    const detached = await seals.seal(call, ownerOf(context));
    return result({ output: 'The server waits for an answer of the user.', detached });
  }

  /** Nothing about the call is sent to another server, or another version of the tool. */
  function ownerOf({ callId, principal }: Pick<Around, 'callId' | 'principal'>): CallOwner {
    const from = { server: called.identity ?? null, tool: toJson(tool) };
    return { callId, from, ...(principal && { principal }) };
  }

  return {
    async execute(given, _options, context) {
      const input = given as JsonObject;
      const around = { ...aroundOf(context), isParked: false };
      return goOn(input, await callOnce(tool, { name: tool.name, input, context: around }, called), around);
    },
    async settle(handle: Json, _options, context) {
      const call = await seals.open(handle, ownerOf(context));
      if (call.tool !== tool.name) throw new Error('It is the call of another tool.');
      if (call.expiresAt <= context.now())
        throw new Error("The call was canceled because the user did not answer the server's question in time.");
      const { requests, state } = call;
      const asked = { requests, ...(state !== null && { state }) };
      return goOn(call.input, { asked }, { ...aroundOf(context), isParked: true });
    },
  };
}

/** The part of a call that a conversation needs. */
interface Around extends Pick<ToolContext, 'progress' | 'now'>, AskingCall {
  readonly isParked: boolean;
}

/** A background call cannot make inner calls, so its server cannot ask the model. */
function aroundOf({ signal, callId, principal, ...context }: Waited): Omit<Around, 'isParked'> {
  return {
    signal,
    callId,
    sampled: 0,
    asked: 0,
    ...(principal && { principal }),
    progress: (update) => context.progress(update),
    now: () => context.now(),
    call(name, input, more) {
      if (context.call === undefined) throw new Error('A call in the background cannot ask the model.');
      return context.call(name, input, more);
    },
  };
}

type Waited = Pick<ToolContext, 'signal' | 'callId' | 'principal' | 'progress' | 'now'> &
  Partial<Pick<ToolContext, 'call'>>;

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
