import { answer } from './to-result.ts';
import { cancelled, watchOver } from './attempt.ts';
import type { Attempt, CallBounds, Watch } from './attempt.ts';
import type { Secrets } from '../tool/capability.ts';
import type { CompiledTool } from './compile.ts';
import { UtensilError } from '../base/errors.ts';
import { isPromise } from '../base/eventually.ts';
import { sha256HexNow } from '../base/hash.ts';
import type { Eventually } from '../base/eventually.ts';
import type { FilesObserver } from '../files/taint/observer.ts';
import { mapStrings, toJson } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { ToolDefinition } from '../model/model.ts';
import type { OptionValue } from '../tool/option.ts';
import { formsOf, withoutSecrets } from '../tool/output.ts';
import type { SubRun, SubRunOptions, ToolContext } from '../tool/tool.ts';
import { failure, unknownTool } from '../tool/result.ts';
import type { ToolResult } from '../tool/result.ts';

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

/** Context of an execution, beside the call. */
export interface Execution {
  readonly compiled: CompiledTool;
  readonly toolFingerprint: string;
  /** The input as the tool's schema gave it out. */
  readonly value: unknown;
  readonly context: CallContext;
  readonly host: Readonly<Record<string, unknown>>;
  readonly secrets: Secrets | undefined;
}

/**
 * Runs a tool's `execute`. Never throws, and returns at once when the time is over or the signal fires, whatever the
 * tool does.
 */
export async function executeTool(execution: Execution): Promise<ToolResult> {
  const { compiled, toolFingerprint, context } = execution;
  const { tool } = compiled;
  if (context.signal.aborted) return { ...cancelled(tool), toolFingerprint };
  if (context.cancellation?.result !== undefined) return context.cancellation.result;
  const known: string[] = []; // secrets that must not reach the model, nor the log of the run
  const clean = (text: string): string => withoutSecrets(text, known);
  const attempt: Attempt = { isOver: false };
  let result: ToolResult;
  try {
    const work = start(execution, attempt, known);
    const takesTime = isPromise(work) || context.signal.aborted;
    const value = takesTime ? await (attempt.watch ??= watchOver(attempt, tool, context)).wait(work) : work;
    const limits = known.length === 0 ? context : { ...context, clean };
    result = attempt.givenUp ?? (await answer(tool, value, limits));
  } catch (error) {
    result = context.signal.aborted ? cancelled(tool) : await failed(error, execution.value, clean);
  }
  attempt.isOver = true;
  attempt.watch?.end();
  return { ...result, toolFingerprint };
}

/** Characters of the line that people are shown of a failure. */
const mostStatus = 300;

async function failed(error: unknown, input: unknown, clean: (text: string) => string): Promise<ToolResult> {
  const { messageForModel } = await import('../base/host-paths.ts');
  const message = clean(messageForModel(error, JSON.stringify(toJson(input))));
  const status = message.split('\n', 1).join('').slice(0, mostStatus);
  return { ...failure('tool_failed', `Tool execution failed: ${message}`), status };
}

function start(execution: Execution, attempt: Attempt, known: string[]): Eventually<unknown> {
  const { compiled, value, secrets } = execution;
  const context = toolContext(execution, attempt, known);
  const finish = (returned: unknown): unknown => (isGenerator(returned) ? drain(returned, context, attempt) : returned);
  function call(options: Values): Eventually<unknown> {
    if (attempt.isOver) return undefined; // it was given up while its secrets were read
    const returned: unknown = compiled.tool.execute?.(value, options, context);
    return isPromise(returned) ? returned.then(finish) : finish(returned);
  }
  const isPlain = compiled.secrets.length === 0 || secrets === undefined;
  return isPlain ? call(compiled.options) : readSecrets(execution, secrets, known).then(call);
}

function toolContext(
  { compiled: { tool }, context, host }: Execution,
  attempt: Attempt,
  known: readonly string[],
): ToolContext {
  const { projectId, threadId, runId, callId, principal, now = Date.now, inner } = context;
  const watched = (): Watch => (attempt.watch ??= watchOver(attempt, tool, context));
  const caller = (): InnerCaller => ({ callId, signal: watched().signal });
  return {
    projectId,
    runId,
    callId,
    ...(threadId !== undefined && { threadId }),
    ...(principal && { principal }),
    host,
    now,
    progress(update: unknown) {
      if (!attempt.isOver) context.progress?.(mapStrings(toJson(update), (text) => withoutSecrets(text, known)));
    },
    get idempotencyKey() {
      return keyOf(context);
    },
    get signal() {
      return watched().signal;
    },
    get tainted() {
      return context.observer?.isTainted() ?? false;
    },
    async call(name, input, { signal: given } = {}) {
      if (inner === undefined) return unknownTool(name);
      if (attempt.isOver || given?.aborted === true) return cancelled({ name });
      return (await inner()).call({ ...caller(), ...(given && { before: given }) }, name, input);
    },
    async beforeEffect() {
      if (!attempt.isOver) await (await inner?.())?.mark(callId);
      if (attempt.isOver) throw new UtensilError('tool_cancelled', 'This call is over: it changes nothing any more.');
    },
    tools: async () => (await inner?.())?.tools() ?? [],
    prompts: async (names) => (await inner?.())?.prompts(names) ?? [],
    outputOf: async (id) => (await inner?.())?.outputOf(id),
    async run<Output = Json>(options: SubRunOptions<Output>): Promise<SubRun<Output>> {
      if (inner === undefined) throw new UtensilError('run_ended', 'This call is part of no run.');
      if (attempt.isOver) throw new UtensilError('run_ended', 'This call is over: it begins no run any more.');
      return (await inner()).run(caller(), options) as Promise<SubRun<Output>>; // its schema has checked the value
    },
  };
}

/** What prepared the call has loaded the hash. */
function keyOf({ projectId, runId, callId, identity = () => [runId, callId] }: CallContext): string {
  return sha256HexNow(JSON.stringify([projectId, identity()])).slice(0, 32);
}

type Values = Readonly<Record<string, OptionValue>>;

async function readSecrets(
  { compiled: { tool, options, secrets: ids }, context: { principal } }: Execution,
  secrets: Secrets,
  known: string[],
): Promise<Values> {
  const found: Record<string, string> = {};
  const asked = principal && { principal };
  for (const id of ids) {
    for (const name of [...(tool.formerNames ?? []), tool.name])
      found[id] = (await secrets.get(`${name}.${id}`, asked)) ?? found[id] ?? '';
    if (found[id]?.trim() === '') delete found[id]; // nothing but blanks is no secret
  }
  known.push(...Object.values(found).flatMap(formsOf));
  return { ...options, ...found };
}

function isGenerator(value: unknown): value is AsyncGenerator<unknown, unknown> {
  return (
    typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value && 'return' in value
  );
}

async function drain(
  generator: AsyncGenerator<unknown, unknown>,
  { progress }: { progress(update: unknown): void },
  attempt: Attempt,
): Promise<unknown> {
  for (;;) {
    const { done, value } = await generator.next();
    if (done === true) return value;
    if (attempt.isOver) return generator.return(undefined);
    progress(value);
  }
}
