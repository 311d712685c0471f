import type { HostOf, Requirements, Host, Principal } from './capability.ts';
import type { Eventually } from '../base/eventually.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { ContentPart, Message, NewMessage } from '../model/message.ts';
import type { Api, ToolDefinition, ModelInfo, ToolChoice, Model } from '../model/model.ts';
import type { OptionDefinitions, OptionValues, PublicValues } from './option.ts';
import type { Schema } from '../schema/schema.ts';
import type { ToolResult } from './result.ts';
import type { Thread } from '../thread/thread.ts';
import type { RunLimits } from './run-limits.ts';
import type { RunEvent } from './run-event.ts';
import type { RunResult } from './run-result.ts';
import type { Method } from '../base/method.ts';
import type { Effect } from '../model/effect.ts';

/** Context of a tool's `execute`, beside its input and options. */
export interface ToolContext<Needs extends Requirements = Requirements> {
  readonly projectId: string;
  readonly threadId?: string;
  readonly runId: string;
  readonly callId: string;
  /** The user for whom the call is made. Absent: the app has only one, or does not say. */
  readonly principal?: Principal;
  /**
   * The same for every attempt at this call, in whichever process, and another for each other call: 32 hexadecimal digits, for
   * a service that does nothing twice under one `Idempotency-Key`. A tool that sends it to one is `idempotent`.
   */
  readonly idempotencyKey: string;
  /** Fires when the run is aborted or the tool's time is over. */
  readonly signal: AbortSignal;
  /** Exactly what the tool `requires`. */
  readonly host: HostOf<Needs>;
  /** True if the run has read outside content, which anybody may have written: see `PolicyRequest`. */
  readonly tainted: boolean;
  /** Tells people how far it is. Yielding from an async generator does the same. */
  progress(update: Json): void;
  /** Milliseconds since 1970, from the app's clock. */
  now(): number;
  /**
   * Calls another tool of the run, under its permissions, limits and abort; the user is asked where that call would ask.
   * Never throws: disabled and unknown tools return the same `unknown_tool` result. The call is cancelled with its caller,
   * and a call that is over makes no more. `signal` cancels it, and a question about it, only until its tool begins.
   */
  call(name: string, input: JsonObject, options?: { readonly signal?: AbortSignal }): Promise<ToolResult>;
  /**
   * Awaited by a `replayable` tool before it changes anything itself, other than by inner calls: from here on it is not
   * replayed. Throws if this call is over, or has diverged from the calls that it made before.
   */
  beforeEffect(): Promise<void>;
  /** All tools that {@link ToolContext.call} reaches, those too that the model is not told of. */
  tools(): Promise<readonly ToolDefinition[]>;
  /** The prompts of some of them, as the model is told them; for a tool that finds tools of which it is not told. */
  prompts(names: readonly string[]): Promise<readonly string[]>;
  /** The whole output of an earlier call of the thread, of which the model may have seen a part. */
  outputOf(callId: string): Promise<Json | undefined>;
  /**
   * Begins a run inside this one: with its model, policy and limits, unless others are given. See {@link SubRunOptions}. It
   * is aborted if the call that began it is cancelled. Throws `run_ended` if that call is over.
   */
  run<Output = Json>(options: SubRunOptions<Output>): Promise<SubRun<Output>>;
}

type Task = string | readonly (Message | NewMessage)[];

/** A run that a tool begins inside the run that called it. What is absent is as in that run. */
export interface SubRunOptions<Output = Json> {
  /**
   * The task, as text or with parts. Stored in `thread`, where there is one. A function is called if the run begins, and not
   * if it goes on after an interruption.
   */
  readonly messages: Task | (() => Eventually<Task>);
  /** The system prompt, or how it is for a model. Prompts of tools follow. */
  readonly instructions?: string | ((model: ModelInfo) => string);
  /** For the first turn; the later ones are `auto`, or `none`. Default `auto`. */
  readonly toolChoice?: ToolChoice;
  /** True if a call begins as soon as it is complete, while its turn is still being streamed. Default true. */
  readonly eager?: boolean;
  readonly model?: Model;
  /** The names of the run's tools that it may use; the others are as unknown as any. Default: all. */
  readonly tools?: readonly string[];
  /** Calls that do more than read are denied, and tools that never only read are as unknown as any. */
  readonly readOnly?: boolean;
  /** Tools of its own. */
  readonly add?: readonly Tool[];
  /** Replaces capabilities of the host, such as `files` by those of a directory. */
  readonly host?: Host;
  /**
   * Its conversation, to be gone on with. Default: one that is kept with the thread of the outer run, so that after an
   * interruption the run goes on where it was.
   */
  readonly thread?: Thread;
  /** The form of its answer. */
  readonly output?: Schema<Output>;
  readonly limits?: RunLimits;
}

/** A run inside a run. Its questions are the outer run's, which ends it too when it ends. */
export interface SubRun<Output = Json> {
  readonly id: string;
  /** What happens, from the first event or from a `seq` on; any number of readers. */
  events(from?: number): AsyncIterable<RunEvent>;
  /** Never rejects. */
  readonly result: Promise<RunResult<Output>>;
  /** Lets the step under way finish, then ends; runs inside do the same. */
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

/** What became of a call that had begun: it is done, with this output; it has done nothing, and never will; or nobody knows. */
export type Reconciled<Output = unknown> = { readonly done: Output } | 'not-done' | 'unknown';

/** Context of a tool's `preview`. */
export type PreviewContext<Needs extends Requirements = Requirements> = Pick<
  ToolContext<Needs>,
  'projectId' | 'threadId' | 'principal' | 'host'
>;

/** What a call would do to files, for a screen that shows the difference. Absent text: there is no such file, or none that is text. */
export interface Preview {
  readonly type: 'changes';
  readonly changes: readonly { readonly path: string; readonly before?: string; readonly after?: string }[];
  /** True if all that the call does can be undone: see `changesPreview`. Whoever is asked about it is not warned then. */
  readonly undoable?: boolean;
}

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

/** The presentation of calls and results to people, and to the model. */
export interface ToolRender {
  /** The title of a call: a template of input fields, `Read {path}`, or a function of the input. Cut at 50 characters. */
  readonly title?: string | Method<[input: JsonObject], string>;
  /** One line on how it went. */
  readonly status?: Method<[output: Json], string>;
  /** The parts of an output that the model sees. `output` may be one that an older version of the tool has stored. */
  readonly model?: Method<[output: Json], string | readonly ContentPart[]>;
  /** What a person sees of it: text, or JSON for a card of the app's. */
  readonly user?: Method<[output: Json], Json>;
}

/** The appearance of a tool in settings and threads. */
export interface ToolUi {
  readonly subtitle?: string;
  /** An emoji, or the name of an icon of Lucide or of the app. */
  readonly icon?: string;
  readonly category?: string;
  /** What users may call it in a message, such as `@web`: for an app that uses `expandAliases`. */
  readonly aliases?: readonly string[];
}

/** Part of a tool in the loop, beside its own work. */
export interface ToolRole {
  /**
   * - `search`: searches for something by the text in its field `query`.
   * - `tool-search`: finds or calls deferred tools. Models are told of it only if there are any and their API does not
   *   search for tools itself.
   * - `output-reader`: reads what was cut from long outputs ({@link ToolContext.outputOf}). A cut result names it.
   * - `final-answer`: ends the run with an answer in the form that was asked for. A run adds it by itself.
   */
  readonly type: 'search' | 'tool-search' | 'output-reader' | 'final-answer';
  /** Input field with the text to search for. A query much like an earlier one of the run is refused, with a hint. */
  readonly query?: string;
}

/** A call that an earlier version of a tool has left in a thread. */
export interface StoredCall {
  /** The tool's name then. */
  readonly name: string;
  /** Identifies the version that the call was begun or asked about with; absent if it was neither. */
  readonly toolFingerprint?: string;
}

/** A tool without its work: see {@link Tool}. */
export interface ToolFace<
  Input = unknown,
  Options extends OptionDefinitions = OptionDefinitions,
  Needs extends Requirements = Requirements,
> {
  /** `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`, which every api accepts. */
  readonly name: string;
  /** For people. Default: the name. */
  readonly title?: string;
  /** For the model. */
  readonly description: string | { call(options: PublicValues<Options>): string }['call'];
  /** Must describe an object. A Standard Schema with JSON Schema: zod 4, `z.toJSONSchema(…)` of zod/mini, `jsonSchema({...})` … */
  readonly input: Schema<Input> | { call(options: PublicValues<Options>): Schema<Input> }['call'];
  readonly options?: Options;
  readonly ui?: ToolUi;
  /** For selection by the app. */
  readonly tags?: readonly string[];
  /** True if it is on until the user chooses. Default true. */
  readonly defaultEnabled?: boolean;
  /** Part of how the app works: on no settings page, and nobody is asked while it only reads. A policy may deny it. */
  readonly internal?: boolean;
  /** A function that throws counts as `destructive`. */
  readonly effects: Effect | { call(input: Input, options: PublicValues<Options>): Effect }['call'];
  /** It reaches the world outside: the web, other people, other machines. */
  readonly openWorld?: boolean;
  /** Others wrote its definition, such as a server that may change it: a run that has it is tainted from its beginning. */
  readonly foreign?: boolean;
  /** The same call twice does no more than once. */
  readonly idempotent?: boolean;
  /**
   * The same input makes the same inner calls ({@link ToolContext.call}). After an interruption the tool may be run again from
   * the start, and its inner calls return the results that they had. It awaits {@link ToolContext.beforeEffect} before it
   * changes anything in another way.
   */
  readonly replayable?: boolean;
  /** Capabilities of the host. A tool whose host lacks one is unavailable, and its reason is shown. */
  readonly requires?: Needs;
  /** Instructions for the model, for as long as the tool is on. Empty: none. */
  readonly prompt?:
    | string
    | { call(options: PublicValues<Options>, context: PromptContext<Needs>): string | Promise<string> }['call'];
  /** By api: a definition that the vendor has built in. It replaces ours, and our prompt with it. */
  readonly native?: {
    readonly [api: string]: { call(options: PublicValues<Options>): JsonObject | undefined }['call'];
  };
  /** Milliseconds; 0: none. Default: the run's. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds that a call may go on in the background, counted from its receipt, over all processes; 0: no limit. After that the
   * model is told that nobody waits for it any more. Default 0.
   */
  readonly settleTimeoutMs?: number;
  /** Characters of text that the model sees of a result. Default: the run's. */
  readonly outputLimit?: number;
  /** Calls of it that may run at once. Default: as many as calls may run at all. */
  readonly concurrency?: number;
  /** Hidden from the model until it searches for the tool: for large sets of tools that are rarely needed. */
  readonly defer?: boolean;
  /** Deferred tools of one group are found as one, with their prompts. */
  readonly group?: string;
  /** Its part in the loop, if it has one. */
  readonly role?: ToolRole;
  readonly examples?: readonly JsonObject[];
  /** Earlier names: settings, secrets and calls under them are this tool's. Approvals given under one are asked for again. */
  readonly formerNames?: readonly string[];
  /**
   * Gives the input of a call that an earlier version of the tool has left in a thread, in the form that this version takes. Input
   * in that form already must come back as it is. Called when such a call is resumed or replayed. An answer that a person
   * gave to it still counts, unless the call has worse effects than they saw. If it throws, or its input is not valid, the call is
   * taken as it is stored.
   */
  readonly migrateCall?: { call(input: JsonObject, stored: StoredCall): JsonObject }['call'];
  /**
   * What the call would do, for the user who is asked about it, as {@link Preview} or any JSON; of a tool without `execute`, what its
   * client needs to answer, such as an address to visit. It must change nothing that the call is about. It has 10 seconds.
   */
  readonly preview?: {
    call(input: Input, options: PublicValues<Options>, context: PreviewContext<Needs>): unknown;
  }['call'];
  readonly render?: ToolRender;
}

/**
 * A tool: one static, stateless object. `options` are the user's settings for it; every member that is a function of
 * `options` is asked again when the user changes one. See `defineTool`.
 */
export interface Tool<
  Input = unknown,
  Options extends OptionDefinitions = OptionDefinitions,
  Needs extends Requirements = Requirements,
> extends ToolFace<Input, Options, Needs> {
  /** Schema of the value that `execute` returns, which is validated. */
  readonly output?: Schema;
  /**
   * Runs a call. Returns a plain value or {@link result}; an async generator yields progress and returns it. To fail, throw.
   * No `execute`: the client answers.
   */
  readonly execute?: {
    call(input: Input, options: OptionValues<Options>, context: ToolContext<Needs>): unknown;
  }['call'];
  /**
   * Finds out what became of a call that had begun before an interruption, and changes nothing. Only if it is `unknown`, or this
   * throws, a person is asked. `not-done` counts where whoever made the call is known to have ended; then it is made again.
   */
  readonly reconcile?: {
    call(
      input: Input,
      options: OptionValues<Options>,
      context: ReconcileContext<Needs>,
    ): Reconciled | Promise<Reconciled>;
  }['call'];
  /**
   * Waits for the result of a call that goes on in the background, and returns it as `execute` would. `handle` is what that returned
   * as `detached`. It may be asked several times, in other processes, until the result is stored, so it begins nothing. If the run
   * is left, its signal fires; if the user cancels the call, with a reason that has the code `tool_cancelled`.
   */
  readonly settle?: {
    call(handle: Json, options: OptionValues<Options>, context: SettleContext<Needs>): unknown;
  }['call'];
}
