import type { InnerCalls } from '../execute.ts';
import type { JsonObject } from '../json.ts';
import type { Message } from '../message.ts';
import { failure } from '../tool-result.ts';
import type { ToolResult } from '../tool-result.ts';
import { notRun } from './calls.ts';
import type { Caller, RunningCall } from './caller.ts';
import type { HandlerSetup } from './handler.ts';
import { judge } from './judge.ts';
import { denialText } from './policy.ts';
import type { Questions } from './questions.ts';
import { subCallMark } from './sub-call.ts';

/** Why a call is not run that its tool no longer waits for. */
const isOver = 'the call that made it is over';

/** Calls inside calls that deep are refused: somewhere, a tool calls itself. */
const deepest = 8;

/** What the calls that tools make need. */
export interface InnerSetup {
  readonly run: HandlerSetup;
  readonly questions: Questions;
  readonly caller: Caller;
  /** The history as it is. */
  messages(): readonly Message[];
}

/**
 * The calls that tools make. Each is checked, judged and asked about as one of the model's; those that change something
 * run one after the other.
 */
export function createInnerCalls({ run, questions, caller, messages }: InnerSetup): InnerCalls {
  const { toolset, emit } = run;
  const counts = new Map<string, number>();
  let lastChange: Promise<unknown> = Promise.resolve();

  /** Its result, or undefined where it may run. */
  async function decide(
    made: RunningCall,
    input: JsonObject,
    signal: AbortSignal,
  ): Promise<ToolResult | (() => Promise<ToolResult>)> {
    const { callId, name, parentCallId } = made;
    const ready = await toolset.prepare({ name, input });
    const verdict = await judge({ ...run, tainted: run.past.taint.isTainted }, { callId, name, ready });
    if (typeof verdict === 'object' && 'result' in verdict) return verdict.result;
    if (verdict !== 'allow') {
      const call = {
        type: 'tool-call',
        callId,
        name,
        input: ready.input,
        executedBy: 'us',
        title: ready.title,
      } as const;
      const preview = await ready.preview?.(run);
      const asking = {
        call,
        question: verdict.ask,
        effects: ready.effects,
        preview,
        ...(parentCallId && { parentCallId }),
      };
      if (signal.aborted || run.signal.aborted) return notRun(made, isOver);
      const answer = await questions.ask(asking, signal);
      if (answer === undefined) return notRun(made, 'the user did not approve it');
      if (answer === 'deny') return failure('tool_denied', denialText(name, 'user'));
      if (typeof answer === 'object')
        return 'output' in answer ? ready.settle(answer.output, {}) : decide(made, answer.input, signal);
      await run.remember(answer, { name, toolFingerprint: ready.toolFingerprint ?? '' });
    }
    if (signal.aborted || run.signal.aborted) return notRun(made, isOver);
    const work = async (): Promise<ToolResult> => (await caller.execute(made, ready, signal)).result;
    const isNested = parentCallId?.includes(subCallMark) ?? false; // what it is called by has its turn already
    if (ready.effects === 'read' || isNested) return work;
    return () => {
      const inTurn = lastChange.then(work);
      lastChange = inTurn;
      return inTurn;
    };
  }

  return {
    async call({ callId: parentCallId, signal }, name, input) {
      if (parentCallId.split(subCallMark).length > deepest)
        return failure('tool_failed', `Tool execution failed: calls are nested more than ${deepest} deep.`);
      const count = (counts.get(parentCallId) ?? 0) + 1;
      counts.set(parentCallId, count);
      const made = { callId: `${parentCallId}${subCallMark}${count}`, name, parentCallId };
      const started = run.environment.now();
      const decided = await decide(made, input, signal);
      const result = typeof decided === 'function' ? await decided() : decided;
      emit({ type: 'tool-end', ...made, result, durationMs: run.environment.now() - started });
      return result;
    },
    tools: async () => toolset.definitions({ api: run.model.info.api, supports: { deferredTools: true } }),
    async outputOf(callId) {
      for (const { parts } of messages().toReversed())
        for (const part of parts) if (part.type === 'tool-result' && part.callId === callId) return part.output;
      return undefined;
    },
    run: run.startInside,
  };
}
