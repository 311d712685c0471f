import type { CallContext, InnerCalls } from '../execute.ts';
import type { ToolCallPart } from '../message.ts';
import type { PreparedCall } from '../prepare.ts';
import type { JournalEntry } from '../thread.ts';
import type { ToolResult } from '../tool-result.ts';
import type { HandlerSetup } from './handler.ts';

/** A call as it runs: one of the model's, or one that a tool makes. */
export interface RunningCall {
  readonly callId: string;
  readonly name: string;
  readonly parentCallId?: string;
}

/** Runs prepared calls of a run. */
export interface Caller {
  execute(
    call: RunningCall,
    ready: PreparedCall,
  ): Promise<{ readonly result: ToolResult; readonly durationMs: number }>;
  /** Cancels what runs. */
  cancel(reason: unknown): void;
}

/** Tells of each call, and stores what a later resumption has to know of it before it begins. */
export function createCaller(setup: HandlerSetup, loadInner: () => Promise<InnerCalls>): Caller {
  const { runId, projectId, model, thread, toolset, environment, emit, signal, past } = setup;
  const { toolTimeMs, toolOutput } = setup.limits;
  const calls = new AbortController();
  const begun = new Set<string>();
  const running = new Map<string, ToolCallPart>(); // calls of the model
  signal.addEventListener('abort', () => calls.abort(signal.reason), { once: true });

  /** What may have taken effect is known as such from here on: of a call that a tool makes, the one whose tool it is. */
  async function journal({ callId }: RunningCall, { toolFingerprint }: PreparedCall): Promise<void> {
    const id = outermost(callId);
    if (thread?.journal === undefined || begun.has(id)) return;
    begun.add(id);
    const entry: JournalEntry = {
      type: 'call-begun',
      callId: id,
      runId,
      time: environment.now(),
      ...(toolFingerprint !== undefined && { toolFingerprint }),
    };
    const call = running.get(id);
    if (setup.durability === 'process' || call === undefined) return thread.journal.append(entry);
    return thread.journal.append({ ...entry, call }, { durable: true });
  }

  return {
    cancel: (reason) => calls.abort(reason),
    async execute(call, ready) {
      const { callId, name, parentCallId } = call;
      const { input, title, icon, effects, repairs } = ready;
      const parent = parentCallId !== undefined && { parentCallId };
      if (parentCallId === undefined)
        running.set(callId, { type: 'tool-call', callId, name, input, title, executedBy: 'us' });
      if (effects !== 'read' && !ready.idempotent) await journal(call, ready);
      const started = environment.now();
      const shown = { callId, name, input, title, ...(icon !== undefined && { icon }), effects, repairs, ...parent };
      emit({ type: 'tool-start', ...shown });
      const context: CallContext = {
        projectId,
        ...(thread && { threadId: thread.id }),
        runId,
        callId,
        signal: calls.signal,
        inner: loadInner,
        ...(toolset.readBack !== undefined && { readBack: readBackText(toolset.readBack, callId) }),
        ...(model.info.contextWindow !== undefined && { contextWindow: model.info.contextWindow }),
        progress: (progress) => emit({ type: 'tool-progress', callId, progress }),
        now: environment.now,
        ...(toolTimeMs !== undefined && { timeoutMs: toolTimeMs }),
        ...(toolOutput !== undefined && { outputLimit: toolOutput }),
        late: () => emit({ type: 'tool-late', callId, name }),
      };
      await Promise.resolve(); // calls that begin together are all told before the first of them does anything
      const result = await ready.execute(context);
      running.delete(callId);
      past.isTainted ||= ready.openWorld;
      return { result, durationMs: environment.now() - started };
    },
  };
}

/** How the model gets what is left out of a result. */
function readBackText(name: string, callId: string): string {
  return `call ${name} with "call_id": ${JSON.stringify(callId)} and an "offset".`;
}

/** The call of the model's that a call of a tool's belongs to. */
function outermost(callId: string): string {
  return callId.split(subCallMark)[0] ?? callId;
}

/** Between the id of a call and the number of one that its tool makes. */
export const subCallMark = '›';
