import type { Json, JsonObject } from '../base/json.ts';
import type { FilesObserver } from '../files/taint/observer.ts';
import type { ToolDefinition } from '../model/model.ts';
import type { ToolResult } from '../tool/result.ts';
import type { SubRun, SubRunOptions, ToolContext } from '../tool/tool.ts';
import type { CallBounds } from './attempt.ts';

/** A call's access to its run. Work that it started ends when its signal fires. */
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
  /** Fires when the call is abandoned. */
  readonly signal: AbortSignal;
  /** Fires when an inner call is abandoned before it has begun. */
  readonly before?: AbortSignal;
}

/** Context of a call. */
export interface CallContext
  extends CallBounds, Pick<ToolContext, 'projectId' | 'threadId' | 'runId' | 'callId' | 'principal'> {
  /** The run as an observer of files. */
  readonly observer?: FilesObserver;
  /** Identifies the call among all others, the same for every attempt at it. Default: its id, in its run. */
  identity?(): Json;
  /** The guard that approved the call: it is not asked again. */
  readonly reviewedBy?: object;
  /** Loaded on first use. Absent without a run: other tools are then unknown. */
  inner?(): Promise<InnerCalls>;
  /** Instructions for the model on reading the rest of a long output. */
  readonly readBack?: string;
  /** Context window of the model that reads the result, in tokens. */
  readonly contextWindow?: number;
  /** True if the call may continue in the background, with a receipt as its result. Default: the result is awaited. */
  readonly detaches?: boolean;
  progress?(update: Json): void;
  now?(): number;
  /** Maximum characters of a result's text for the model, unless the tool sets its own. Default: 100,000. */
  readonly outputLimit?: number;
}
