import type { HostOf, Requirements, Host, Principal } from './capability.ts';
import type { Eventually } from '../base/eventually.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Message, NewMessage } from '../model/message.ts';
import type { Api, ToolDefinition, ModelInfo, ToolChoice, Model } from '../model/model.ts';
import type { OptionDefinitions, OptionValues, PublicValues } from './option.ts';
import type { ToolRender, ToolUi } from './presentation.ts';
import type { Schema } from '../schema/schema.ts';
import type { ToolResult } from './result.ts';
import type { Thread } from '../thread/thread.ts';
import type { RunLimits } from './run-limits.ts';
import type { RunEvent } from './run-event.ts';
import type { RunResult } from './run-result.ts';
import type { Effect } from '../model/effect.ts';

/** Context of a tool's `execute`, in addition to its input and options. */
export interface ToolContext<Needs extends Requirements = Requirements> {
  readonly projectId: string;
  readonly threadId?: string;
  readonly runId: string;
  readonly callId: string;
  /** The user on whose behalf the call is made. Absent: the app has only one user, or does not say. */
  readonly principal?: Principal;
  /**
   * Key of this call, for services that deduplicate by `Idempotency-Key`: 32 hexadecimal digits. All attempts at the
   * call have the same key, in any process; other calls have other keys. Declare a tool `idempotent` if it sends the
   * key to such a service.
   */
  readonly idempotencyKey: string;
  /** Fires when the run is aborted, the call is cancelled, or the tool's time limit is reached. */
  readonly signal: AbortSignal;
  /** Exactly what the tool `requires`. */
  readonly host: HostOf<Needs>;
  /** True if the run has read outside content, which anybody may have written: see `PolicyRequest`. */
  readonly tainted: boolean;
  /** Reports progress to people. Equivalent to yielding from an async generator. */
  progress(update: Json): void;
  /** Milliseconds since 1970, from the app's clock. */
  now(): number;
  /**
   * Calls another tool of the run (an inner call). The run's permissions and limits apply, so the user may be asked.
   * Never rejects: failures are results with `isError`. Disabled and unknown tools give the same `unknown_tool` result.
   * An inner call is cancelled when the outer call is, and is refused once the outer call has ended. `signal` cancels
   * an inner call that has not started yet, including its question to the user.
   */
  call(name: string, input: JsonObject, options?: { readonly signal?: AbortSignal }): Promise<ToolResult>;
  /**
   * Ends the replayable part of a call. A `replayable` tool must await this before its first change of its own (inner
   * calls do not count): after an interruption later than this point, the call is not replayed. Throws if the call has
   * ended, or if its inner calls differ from the logged ones.
   */
  beforeEffect(): Promise<void>;
  /** All tools that {@link ToolContext.call} reaches, including those hidden from the model. */
  tools(): Promise<readonly ToolDefinition[]>;
  /** Prompts of the named tools, as a model gets them, for a tool that finds hidden tools. */
  prompts(names: readonly string[]): Promise<readonly string[]>;
  /** The full output of an earlier call of the thread, of which the model may have seen only a part. */
  outputOf(callId: string): Promise<Json | undefined>;
  /**
   * Begins a run inside this one, with its model, policy and limits unless others are given. See {@link SubRunOptions}.
   * Aborted if the call that began it is cancelled. Throws `run_ended` if that call is over.
   */
  run<Output = Json>(options: SubRunOptions<Output>): Promise<SubRun<Output>>;
}

type Task = string | readonly (Message | NewMessage)[];

/** Options of an inner run. Absent ones are inherited from the outer run. */
export interface SubRunOptions<Output = Json> {
  /**
   * The task, as text or parts. Stored in `thread`, if there is one. A function is called only when the run begins, not
   * when it continues after an interruption.
   */
  readonly messages: Task | (() => Eventually<Task>);
  /** The system prompt, or a function of the model. Prompts of tools are appended. */
  readonly instructions?: string | ((model: ModelInfo) => string);
  /** Tool choice of the first turn; `none` applies to all turns. After any other, later turns use `auto`. Default: `auto`. */
  readonly toolChoice?: ToolChoice;
  /** True to begin a call as soon as it is complete, while its turn is still being streamed. Default: true. */
  readonly eager?: boolean;
  readonly model?: Model;
  /** Names of the run's tools that it may use; all others are unknown to it. Default: all. */
  readonly tools?: readonly string[];
  /** True to deny all calls with an effect other than `read`, and to hide tools that have no read-only calls. */
  readonly readOnly?: boolean;
  /** Additional tools. */
  readonly add?: readonly Tool[];
  /** Replaces capabilities of the host, such as `files` by those of a directory. */
  readonly host?: Host;
  /**
   * The conversation to continue. Default: one stored with the outer run's thread, so that the run continues after an
   * interruption.
   */
  readonly thread?: Thread;
  /** Schema of its answer. */
  readonly output?: Schema<Output>;
  readonly limits?: RunLimits;
}

/** An inner run. Its questions are asked by the outer run, and it ends with the outer run. */
export interface SubRun<Output = Json> {
  readonly id: string;
  /** Events from the first, or from a given `seq`; any number of readers. */
  events(from?: number): AsyncIterable<RunEvent>;
  /** Never rejects. */
  readonly result: Promise<RunResult<Output>>;
  /** Ends after the current step, as do its inner runs. */
  stop(): void;
  /** Ends at once, whatever the tools do. */
  abort(reason?: unknown): void;
}

/** Context of a tool's `reconcile`. */
export type ReconcileContext<Needs extends Requirements = Requirements> = Pick<
  ToolContext<Needs>,
  'projectId' | 'threadId' | 'runId' | 'callId' | 'principal' | 'idempotencyKey' | 'signal' | 'host' | 'now'
>;

/** Context of a tool's `settle`. */
export type SettleContext<Needs extends Requirements = Requirements> = Pick<
  ToolContext<Needs>,
  | 'projectId'
  | 'threadId'
  | 'runId'
  | 'callId'
  | 'principal'
  | 'idempotencyKey'
  | 'signal'
  | 'host'
  | 'tainted'
  | 'now'
  | 'progress'
>;

/**
 * Outcome of an interrupted call. `done`: it has taken effect, with this output. `not-done`: it has had no effect, and
 * will have none. `unknown`: neither is certain.
 */
export type Reconciled<Output = unknown> = { readonly done: Output } | 'not-done' | 'unknown';

/** Context of a tool's `preview`. */
export type PreviewContext<Needs extends Requirements = Requirements> = Pick<
  ToolContext<Needs>,
  'projectId' | 'threadId' | 'principal' | 'host'
>;

/** Context of a tool's `prompt`. */
export interface PromptContext<Needs extends Requirements = Requirements> {
  readonly api: Api;
  readonly modelId: string;
  readonly projectId: string;
  readonly threadId?: string;
  readonly host: HostOf<Needs>;
  /** All tools of this request. */
  readonly tools: readonly ToolDefinition[];
}

/** Special role of a tool in the loop. */
export interface ToolRole {
  /**
   * - `search`: searches by the text in its field `query`.
   * - `tool-search`: finds or calls deferred tools. Shown to models only if there are deferred tools and the API has no
   *   tool search of its own.
   * - `output-reader`: reads the omitted part of long outputs ({@link ToolContext.outputOf}). Truncated results name
   *   it.
   * - `final-answer`: ends the run with an answer that matches the requested schema. Added by the run itself.
   */
  readonly type: 'search' | 'tool-search' | 'output-reader' | 'final-answer';
  /** Input field with the search text. A query very similar to an earlier one of the run is refused, with a hint. */
  readonly query?: string;
}

/** A stored call made by an earlier version of a tool. */
export interface StoredCall {
  /** The tool's name at that time. */
  readonly name: string;
  /** Fingerprint of the version under which the call was begun or asked about; absent if it was neither. */
  readonly toolFingerprint?: string;
}

/** The part of a tool without its execution: see {@link Tool}. */
export interface ToolFace<
  Input = unknown,
  Options extends OptionDefinitions = OptionDefinitions,
  Needs extends Requirements = Requirements,
> {
  /** `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`, which every API accepts. */
  readonly name: string;
  /** For display. Default: the name. */
  readonly title?: string;
  /** For the model. */
  readonly description: string | { call(options: PublicValues<Options>): string }['call'];
  /**
   * Must describe an object. A Standard Schema with JSON Schema: zod 4, `z.toJSONSchema(…)` of zod/mini,
   * `jsonSchema({...})`, ….
   */
  readonly input: Schema<Input> | { call(options: PublicValues<Options>): Schema<Input> }['call'];
  readonly options?: Options;
  readonly ui?: ToolUi;
  /** For selection by the app. */
  readonly tags?: readonly string[];
  /** True if it is enabled until the user chooses otherwise. Default: true. */
  readonly defaultEnabled?: boolean;
  /**
   * Part of the app itself: absent from settings pages, and never asked about if it only reads. A policy may deny it.
   */
  readonly internal?: boolean;
  /** If a function throws, the effect is `destructive`. */
  readonly effects: Effect | { call(input: Input, options: PublicValues<Options>): Effect }['call'];
  /** True if it interacts with the outside world: the web, other people, other machines. */
  readonly openWorld?: boolean;
  /**
   * True if its definition comes from others, such as a server that may change it: a run with a foreign tool is tainted
   * from the start.
   */
  readonly foreign?: boolean;
  /**
   * Identifies who answers its calls, such as the address or the command of a server. Part of the fingerprint of a
   * `foreign` tool, so a grant for one server does not count for another under the same name. Never shown.
   */
  readonly origin?: string;
  /** True if repeating a call has no additional effect. */
  readonly idempotent?: boolean;
  /**
   * True if the same input leads to the same inner calls ({@link ToolContext.call}). After an interruption the tool may
   * run again from the start, and its inner calls return their logged results. It awaits {@link
   * ToolContext.beforeEffect} before it changes anything in any other way.
   */
  readonly replayable?: boolean;
  /** Required capabilities of the host. If one is missing, the tool is unavailable, and the reason is shown. */
  readonly requires?: Needs;
  /** Instructions for the model while the tool is enabled. Empty: none. */
  readonly prompt?:
    | string
    | { call(options: PublicValues<Options>, context: PromptContext<Needs>): string | Promise<string> }['call'];
  /** Built-in definitions of vendors, by API. They replace the definition and the prompt. */
  readonly native?: {
    readonly [api: string]: { call(options: PublicValues<Options>): JsonObject | undefined }['call'];
  };
  /** Time limit in milliseconds; 0: none. Default: the run's. */
  readonly timeoutMs?: number;
  /**
   * Time limit of a background call in milliseconds, counted from its receipt, across processes; 0: none. After that,
   * the model is told that the result is no longer awaited. Default: 0.
   */
  readonly settleTimeoutMs?: number;
  /** Maximum characters of a result's text for the model. Default: the run's. */
  readonly outputLimit?: number;
  /** Maximum number of concurrent calls of the tool. Default: the run's limit on calls. */
  readonly concurrency?: number;
  /** True to hide the tool from the model until it searches for it: for large sets of rarely needed tools. */
  readonly defer?: boolean;
  /** Deferred tools of a group are found together, with their prompts. */
  readonly group?: string;
  /** Special role in the loop, if any. */
  readonly role?: ToolRole;
  readonly examples?: readonly JsonObject[];
  /**
   * Former names: settings, secrets and calls under these are the tool's own. Approvals given under these are asked for
   * again.
   */
  readonly formerNames?: readonly string[];
  /**
   * Converts the input of a call that was stored by an earlier version of the tool, when the call is resumed or
   * replayed. Must return input that already fits this version unchanged. The user's approval of the stored call stays
   * valid unless the converted call has a worse effect. If the function throws or returns invalid input, the stored
   * input is used.
   */
  readonly migrateCall?: { call(input: JsonObject, stored: StoredCall): JsonObject }['call'];
  /**
   * Preview of a call for the user who is asked about it, as a {@link Preview} or any JSON; for a tool without
   * `execute`, data that its client needs to answer, such as a URL to visit. Must not change anything that the call is
   * about. Limited to 10 seconds.
   */
  readonly preview?: {
    call(input: Input, options: PublicValues<Options>, context: PreviewContext<Needs>): unknown;
  }['call'];
  readonly render?: ToolRender;
}

/**
 * A tool: a static, stateless object. `options` are the user's settings for it; every member that is a function of
 * `options` is called again when the user changes one. See `defineTool`.
 */
export interface Tool<
  Input = unknown,
  Options extends OptionDefinitions = OptionDefinitions,
  Needs extends Requirements = Requirements,
> extends ToolFace<Input, Options, Needs> {
  /** Schema of the return value of `execute`, which is validated. */
  readonly output?: Schema;
  /**
   * Runs a call and returns its output, as a plain value or a {@link result}. An async generator can yield progress
   * first. Throw to fail. A tool without `execute` is answered by the client.
   */
  readonly execute?: {
    call(input: Input, options: OptionValues<Options>, context: ToolContext<Needs>): unknown;
  }['call'];
  /**
   * Finds the outcome of a call that had started before an interruption, without changing anything. After `done`, the
   * run continues with that output. After `not-done`, the call is repeated, but only if the process that started it is
   * known to have ended. Otherwise, and if the function throws, a person is asked.
   */
  readonly reconcile?: {
    call(
      input: Input,
      options: OptionValues<Options>,
      context: ReconcileContext<Needs>,
    ): Reconciled | Promise<Reconciled>;
  }['call'];
  /**
   * Waits for the result of a background call and returns it as `execute` would. `handle` is the `detached` value that
   * `execute` has returned. Must not start any work: it may be called again, in other processes too, until the result
   * is stored. `signal` fires when the run stops waiting; if the user has cancelled the call, its reason is an error
   * with the code `tool_cancelled`.
   */
  readonly settle?: {
    call(handle: Json, options: OptionValues<Options>, context: SettleContext<Needs>): unknown;
  }['call'];
}
