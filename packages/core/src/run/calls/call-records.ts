import type { JsonObject } from '../../base/json.ts';
import { callsOf } from '../../model/message.ts';
import type { Message, ToolCallPart } from '../../model/message.ts';
import { outermost } from '../../model/sub-call.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import type { CallEntry, CancelEntry, InnerResultEntry } from '../../thread/entry.ts';
import type { AskedQuestion } from '../../thread/open-questions.ts';
import type { Ask } from '../loop/state.ts';
import type { Replay } from './replay.ts';
import type { ToolResult } from '../../tool/result.ts';
import type { ToolEnd } from '../../tool/run-event.ts';

/** An inner call that is logged. */
export interface LoggedCall {
  readonly callId: string;
  readonly inputHash: string;
  /** The result that it had before an interruption. */
  readonly before?: InnerResultEntry;
}

/** Log of the inner calls of a `replayable` tool's call. */
export interface CallLog {
  /** A call that the tool makes. */
  admit(name: string, input: JsonObject): Promise<LoggedCall>;
  /** Awaited before the client is asked to do something in place of a tool. Throws if the tool has diverged. */
  catchUp(): Promise<void>;
  /** An inner call is idempotent: nobody has to know that it has begun. */
  noteIdempotent(callId: string): void;
  /** The client performed an effect in place of the tool. */
  noteEffect(callId: string): void;
  /** Awaited before an inner call, or the tool itself, changes something. Throws if the tool has diverged. */
  begin(callId: string): Promise<void>;
  /** Awaited before an inner run changes something, if it has a thread and can be resumed. */
  beginRun(innerRunId: string): Promise<void>;
  /** Keeps a result that the tool is about to get; that of an effect is stored. */
  keep(call: LoggedCall, name: string, ended: Ended): Promise<void>;
  /** Stores the results that are only kept. */
  flush(): Promise<void>;
  /** True if the call can be replayed from its log. */
  isReplayable(): boolean;
}

/** A call that a tool makes, as it is told from others: the order of its tool's calls may be another with each attempt. */
export interface MadeBy {
  readonly parentCallId: string;
  /** Its name and input. */
  readonly content: string;
  /** Number of earlier calls of the same content by the tool. */
  readonly before: number;
}

/** Result of an inner call. */
export interface Ended {
  readonly result: ToolResult;
  readonly openWorld: boolean;
  readonly durationMs: number;
}

/** State that a run keeps about one call. A field is set once it is known, and dropped once it is no longer needed. */
export interface CallRecord {
  /** Before an interruption it had begun, and may have taken effect: the journal says so, or there is none. */
  wasBegun?: 'stored' | 'assumed';
  /** The fence under which it had begun, if that is stored. */
  begunUnder?: number | undefined;
  /** Identifies the version of its tool that it was begun or asked about with, before an interruption. */
  madeFor?: string | undefined;
  /** The question about it before an interruption, and its answer. */
  asked?: AskedQuestion | undefined;
  /** The same from before it had begun. */
  askedBefore?: AskedQuestion;
  /** Results that its inner calls had before an interruption, and have again. */
  replay?: Replay | undefined;
  /** Log of its inner calls, if its tool is replayable. */
  log?: CallLog | undefined;
  /** It is run again without those results: they no longer count. */
  isAfresh?: boolean;
  /** The run whose model made it, if another run resumes it; empty if that is not known. */
  ofRun?: string;
  /** The call whose tool made it. */
  madeBy?: MadeBy;
  /** Numbers of calls that its tool has made in this attempt, by their content. */
  made?: Map<string, number> | undefined;
  /** The user's approval before an interruption, as the journal has it. */
  approval?: CallEntry;
  /** The call as prepared last, until it has a result. */
  ready?: PreparedCall | undefined;
  /** Reason for the question about it. */
  why?: Pick<Ask, 'reason' | 'eachTime'> | undefined;
  /** A person has seen its full effect, and allowed it. */
  isReviewed?: boolean;
  /** Storage of the turn that made it. Absent: no one has to wait for that. */
  turn?: 'streamed' | 'stored';
  /** The call of the model, while it runs. */
  running?: ToolCallPart | undefined;
  /** The journal entry of its beginning: stored, or on its way. */
  begun?: Promise<void> | undefined;
  /** The call, if it continues in the background. */
  detached?: ToolCallPart;
  /** It runs in the background, and the user has cancelled it, perhaps in another process. */
  cancelled?: CancelEntry;
  /** Its end, which is told once the message with its result is stored. */
  ending?: { readonly messageId: string; readonly event: ToolEnd } | undefined;
}

/** The calls of a run and of its thread, by id. Undefined: nothing is known but that the id is taken. */
export type CallRecords = Map<string, CallRecord | undefined>;

/** The record of a call, which begins empty. */
export function recordOf(records: CallRecords, callId: string): CallRecord {
  const known = records.get(callId);
  if (known !== undefined) return known;
  const record: CallRecord = {};
  records.set(callId, record);
  return record;
}

/** Waits for turns to be stored before the effects inside their calls. */
export interface TurnStorage {
  /** A message is stored. */
  stored(message: Message): void;
  /** Waits until the turn of a call, or of the one whose tool makes it, is stored, and has it stored if needed. Throws the signal's reason if the run ends first. */
  until(callId: string): Promise<void>;
}

/** `store` is called if a turn is waited for. */
export function createTurnStorage(records: CallRecords, store: () => void, signal: AbortSignal): TurnStorage {
  let wake: () => void;
  let change: Promise<void> | undefined; // resolves on a stored message, or on the signal

  function settle(): void {
    change = undefined;
    wake?.();
  }

  signal.addEventListener('abort', settle, { once: true });
  return {
    stored(message) {
      for (const { callId } of callsOf(message)) recordOf(records, callId).turn = 'stored';
      if (change !== undefined) settle();
    },
    async until(callId) {
      const isStreamed = (): boolean => records.get(outermost(callId))?.turn === 'streamed';
      if (!isStreamed()) return;
      if (!signal.aborted) store();
      while (isStreamed() && !signal.aborted) await (change ??= new Promise((resolve) => (wake = resolve)));
      signal.throwIfAborted();
    },
  };
}
