import type { Json, JsonObject } from '../base/json.ts';
import type { FilesObserver } from '../files/taint/observer.ts';
import type { ToolDefinition } from '../model/model.ts';
import type { ToolResult } from '../tool/result.ts';
import type { SubRun, SubRunOptions, ToolContext } from '../tool/tool.ts';
import type { CallBounds } from './attempt.ts';

/** The access of a call to its run. Work that it started ends when its signal fires. */
export interface InnerCalls {
  call(by: InnerCaller, name: string, input: JsonObject): Promise<ToolResult>;
  tools(): Promise<readonly ToolDefinition[]>;
  prompts(names: readonly string[]): Promise<readonly string[]>;
  outputOf(callId: string): Promise<Json | undefined>;
  /** Awaited before a call changes something itself. */
  mark(callId: string): Promise<void>;
  run(by: InnerCaller, options: SubRunOptions<unknown>): Promise<SubRun>;
}

/** The call whose tool calls another, or begins a run. */
export interface InnerCaller {
  readonly callId: string;
  /** Fires when it is given up. */
  readonly signal: AbortSignal;
  /** Fires when the call that it makes is given up, where that has not begun. */
  readonly before?: AbortSignal;
}

/** The circumstances of a call. */
export interface CallContext
  extends CallBounds, Pick<ToolContext, 'projectId' | 'threadId' | 'runId' | 'callId' | 'principal'> {
  /** The run, as its files see it. */
  readonly observer?: FilesObserver;
  /** What tells the call from all others, and is the same for each attempt at it. Default: its id, in its run. */
  identity?(): Json;
  /** The guard that has let it run: it is not asked again. */
  readonly reviewedBy?: object;
  /** Loaded when it is first asked for. Absent where there is no run: no other tool is known then. */
  inner?(): Promise<InnerCalls>;
  /** Instructions for the model on how to read the rest of a long output. */
  readonly readBack?: string;
  /** Of the model that reads the result, in tokens. */
  readonly contextWindow?: number;
  /** A call may go on in the background: its receipt is the result. Default: the result is waited for. */
  readonly detaches?: boolean;
  progress?(update: Json): void;
  now?(): number;
  /** Characters of a result's text that the model sees, where the tool says nothing itself. Default 100,000. */
  readonly outputLimit?: number;
}
