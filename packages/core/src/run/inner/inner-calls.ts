import { isUtensilError } from '../../base/errors.ts';
import { messageForModel } from '../../base/host-paths.ts';
import type { InnerCaller } from '../../call/call-context.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Message } from '../../model/message.ts';
import type { RequestedCall } from '../../call/requested-call.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import { failure } from '../../tool/result.ts';
import type { ToolResult } from '../../tool/result.ts';
import type { InnerResultEntry } from '../../thread/entry.ts';
import { noteMade } from '../calls/call-identity.ts';
import { depthRefusal } from './call-depth.ts';
import { createCallLog, resultOf } from '../calls/call-log.ts';
import { recordOf } from '../calls/call-records.ts';
import type { CallLog, MadeBy } from '../calls/call-records.ts';
import { cancelledByUser, notApproved, notRun } from '../loop/calls.ts';
import type { Ask } from '../loop/state.ts';
import type { Caller, RunInnerCalls, RunningCall } from '../calls/caller.ts';
import { createInnerLines } from './inner-lines.ts';
import type { LiveCall, Work } from './inner-lines.ts';
import { toolPrompts } from '../turn/prompt.ts';
import type { RunContext } from '../run-context.ts';
import { unanswered } from '../questions/answers.ts';
import { review } from '../permission/review.ts';
import { previewOf } from '../questions/preview.ts';
import type { Declined, Questions, Unanswered } from '../questions/questions.ts';
import type { QuestionAnswer } from '../../thread/question.ts';
import { outermost, subCallMark } from '../../model/sub-call.ts';
import { taintBy } from '../taint.ts';

/** Reason for not running a call whose tool no longer waits for it. */
const callIsOver = 'the call that made it is over';

/** Reason for not running a call whose question has no answer. */
const whyNot: Readonly<Record<Declined | 'closed', string>> = {
  stopped: 'the run was stopped',
  dismissed: notApproved,
  closed: 'the user did not approve it',
};

/** An inner call. */
type MadeCall = RunningCall & { readonly parentCallId: string };

/** A question about a call. */
interface AskedCall extends Ask {
  readonly ready: PreparedCall;
  /** Fires when the caller no longer waits. */
  readonly signal: AbortSignal;
}

/** A call under way, with its cancellation. */
interface Made {
  readonly live: LiveCall;
  /** Cancels it at any time. */
  readonly signal: AbortSignal;
  /** Cancels it unless it has begun. */
  readonly before: AbortSignal;
}

/** Outcome of a call that ran or was refused. */
interface Performed {
  readonly result: ToolResult;
  readonly durationMs: number;
}

/** Dependencies of inner calls. */
export interface InnerSetup {
  readonly run: RunContext;
  readonly questions: Questions;
  readonly caller: Caller;
  /** Called if the run may have nothing to do but wait. */
  park(): void;
  /** The current history. */
  messages(): readonly Message[];
  /** Reason why nothing is asked; undefined if it is. */
  declined(): Declined | undefined;
}

/**
 * Runs the calls that tools make. Each is checked, judged and asked about like a call of the model; calls that change
 * something run one after another.
 */
export function createInnerCalls({ run, questions, caller, park, messages, declined }: InnerSetup): RunInnerCalls {
  const { toolset, emit } = run;
  const counts = new Map<string, number>();
  const lines = createInnerLines();
  const underWay = new Map<string, number>(); // number of calls and runs under way, by outermost call
  const live = new Map<string, LiveCall>();
  const outside = new Set<string>(); // logged calls that reached the outside world
  const isOver = (signal: AbortSignal): boolean => signal.aborted || run.signal.aborted;

  /** Returns its result, or starts it. */
  async function decide(
    made: MadeCall,
    input: JsonObject,
    { live: call, signal, before }: Made,
  ): Promise<ToolResult | Work> {
    const { callId, name } = made;
    const reviewed = await review<Unanswered>(
      {
        judge: run,
        remember: run.remember,
        prepare: async (changed) => toolset.prepare({ name, input: changed }),
        ask: ({ ready }, asking) => ask(made, { ...asking, ready, signal: before }),
        unanswered: (_, why) =>
          why === 'closed'
            ? (call.cancelled ?? notRun(made, whyNot[declined() ?? why]))
            : unanswered(made, 'approval', why),
        settle: ({ ready }, output) => settle(made, ready, output),
      },
      { callId, ready: await toolset.prepare({ name, input }) },
    );
    if ('result' in reviewed) return reviewed.result;
    const { ready } = reviewed;
    return lines.behind(call, ready, async () => {
      if (call.cancelled !== undefined) return call.cancelled;
      return isOver(before) ? notRun(made, callIsOver) : execute(made, { ready, signal });
    });
  }

  async function execute(made: MadeCall, { ready, signal }: Pick<AskedCall, 'ready' | 'signal'>): Promise<ToolResult> {
    const { callId, parentCallId } = made;
    const log = logOf(parentCallId);
    if (log !== undefined && ready.effects !== 'read' && ready.idempotent) {
      log.noteIdempotent(callId);
      await caller.mark(callId); // earlier entries are logged first
    }
    const { result, openWorld } = await caller.execute(made, ready, signal);
    questions.closeMadeBy(callId);
    if (openWorld && log !== undefined) outside.add(callId);
    return result;
  }

  function logOf(callId: string): CallLog | undefined {
    const record = recordOf(run.calls, callId);
    return (record.log ??= createCallLog(callId, run));
  }

  /** Asks the user. */
  async function ask(
    { callId, name, parentCallId }: MadeCall,
    { ask: kind, reason, eachTime, ready, signal }: AskedCall,
  ): Promise<QuestionAnswer | Unanswered> {
    const { input, title } = ready;
    if (kind === 'input' && ready.effects !== 'read') await logOf(parentCallId)?.catchUp();
    const call = { type: 'tool-call', callId, name, input, executedBy: 'us', title } as const;
    const preview = declined() === undefined ? await previewOf(ready, run) : undefined;
    const isLeft = (): boolean => isOver(signal) || !caller.runs(parentCallId);
    const isClosed = (): boolean => isLeft() || declined() !== undefined || live.get(callId)?.cancelled !== undefined;
    if (isClosed()) return 'closed';
    const { effects, toolFingerprint } = ready;
    const raised = await questions.raise({
      call,
      kind,
      effects,
      preview,
      reason,
      eachTime,
      toolFingerprint,
      parentCallId,
    });
    if (isClosed()) return 'closed';
    return questions.wait(raised, signal);
  }

  /** Result of a call whose output the client provides. */
  async function settle(
    { callId, name, parentCallId }: MadeCall,
    ready: PreparedCall,
    output: Json,
  ): Promise<ToolResult> {
    if (ready.openWorld) taintBy(run.taint, name);
    const log = logOf(parentCallId);
    if (log !== undefined && ready.openWorld) outside.add(callId);
    if (ready.effects !== 'read') log?.noteEffect(callId);
    return ready.settle(output, {});
  }

  async function perform(made: MadeCall, input: JsonObject, { signal, before }: InnerCaller): Promise<Performed> {
    const started = run.environment.now();
    const unbegun = before === undefined ? signal : AbortSignal.any([signal, before]);
    note(made.callId, 1);
    const call: LiveCall = { name: made.name, parentCallId: made.parentCallId };
    live.set(made.callId, call);
    try {
      const decided = await decide(made, input, { live: call, signal, before: unbegun });
      const result = typeof decided === 'function' ? await decided() : decided;
      const durationMs = run.environment.now() - started;
      emit({ type: 'tool-end', ...made, result, durationMs });
      return { result, durationMs };
    } finally {
      live.delete(made.callId);
      note(made.callId, -1);
    }
  }

  /** Counts work under way inside a call of the model. */
  function note(callId: string, change: 1 | -1): void {
    const outer = outermost(callId);
    underWay.set(outer, (underWay.get(outer) ?? 0) + change);
    if (run.family.due.size > 0) park();
  }

  function nextId(parentCallId: string): string {
    const count = (counts.get(parentCallId) ?? 0) + 1;
    counts.set(parentCallId, count);
    return `${parentCallId}${subCallMark}${count}`;
  }

  /** An inner call of a replayable tool: returns the logged result, or logs the result before the tool gets it. */
  async function performLogged(
    log: CallLog,
    by: InnerCaller,
    { name, input, madeBy }: RequestedCall & { readonly madeBy: MadeBy },
  ): Promise<ToolResult> {
    const { callId: parentCallId, signal } = by;
    const logged = await log.admit(name, input);
    const made = { callId: logged.callId, name, parentCallId };
    if (logged.before !== undefined) return again(made, logged.before);
    recordOf(run.calls, made.callId).madeBy = madeBy;
    const { result, durationMs } = await perform(made, input, by);
    const isGivenUp = isOver(signal) && result.code === 'tool_cancelled'; // does not tell whether the call had an effect
    if (!isGivenUp) await log.keep(logged, name, { result, openWorld: outside.has(made.callId), durationMs });
    return result;
  }

  function again(made: MadeCall, entry: InnerResultEntry): ToolResult {
    const result = resultOf(entry);
    if (entry.result.openWorld === true) taintBy(run.taint, made.name);
    emit({ type: 'tool-end', ...made, result, durationMs: 0, replayed: true });
    return result;
  }

  return {
    async call(by, givenName, input) {
      const { callId: parentCallId } = by;
      const refused = depthRefusal(parentCallId);
      if (refused !== undefined) return refused;
      const name = toolset.nameOf(givenName);
      const log = logOf(parentCallId);
      const madeBy = noteMade(run.calls, { parentCallId, name, input });
      try {
        if (log !== undefined) return await performLogged(log, by, { name, input, madeBy });
        const callId = nextId(parentCallId);
        recordOf(run.calls, callId).madeBy = madeBy;
        return (await perform({ callId, name, parentCallId }, input, by)).result;
      } catch (error) {
        if (isOver(by.signal)) return notRun({ name }, callIsOver); // nobody may be waiting for it any more
        const code = isUtensilError(error) ? error.code : 'tool_failed';
        return failure(code, `Tool execution failed: ${messageForModel(error)}`);
      }
    },
    mark: (callId) => caller.mark(callId),
    async begin(callId, innerRunId) {
      const log = logOf(outermost(callId)); // may be the first effect of its tool
      await (innerRunId === undefined || callId.includes(subCallMark) ? log?.begin(callId) : log?.beginRun(innerRunId));
    },
    cancel(callId, reason) {
      const call = live.get(callId);
      if (call === undefined || call.cancelled !== undefined) return false;
      if (caller.cancelCall(callId, reason)) return true;
      call.cancelled = cancelledByUser(call.name, { reason, began: 'never' });
      call.leave?.();
      questions.close(callId);
      return true;
    },
    flush: async (callId) => recordOf(run.calls, callId).log?.flush(),
    tools: async () => toolset.definitions({ api: run.model.info.api, supports: { deferredTools: true } }),
    prompts: (names) =>
      toolPrompts(run, { ...run.model.info, supports: { deferredTools: true } }, toolset.derive({ only: names })),
    async outputOf(callId) {
      for (const { parts } of messages().toReversed())
        for (const part of parts)
          if ((part.type === 'late-result' || part.type === 'tool-result') && part.callId === callId)
            return part.output;
      return undefined;
    },
    suspended() {
      const asking = questions.askingInside();
      const waits = (callId: string): number => (asking.get(callId) ?? 0) + run.inside.waiting(callId);
      return [...underWay].flatMap(([callId, count]) =>
        count > 0 && waits(callId) === count && logOf(callId)?.isReplayable() === true ? [callId] : [],
      );
    },
    async run(by, options) {
      note(by.callId, 1);
      const over = (): void => note(by.callId, -1);
      const started = run.inside.start(by, options);
      started.then(({ result }) => result.then(over), over);
      return started;
    },
  };
}
