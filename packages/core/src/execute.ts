import { answer } from './answer.ts';
import { Attempt } from './attempt.ts';
import type { Secrets } from './capability.ts';
import type { CompiledTool } from './compile.ts';
import { isUtensilError, messageOf } from './errors.ts';
import { after, isPromise } from './eventually.ts';
import type { Eventually } from './eventually.ts';
import { mapStrings, toJson } from './json.ts';
import type { Json } from './json.ts';
import type { OptionValue } from './option.ts';
import { withoutHost, withoutSecrets } from './output.ts';
import type { ToolContext } from './tool.ts';
import { failure } from './tool-result.ts';
import type { ToolResult } from './tool-result.ts';

/** The circumstances of a call. */
export interface CallContext extends Omit<ToolContext, 'host' | 'progress' | 'now'> {
  progress?(update: Json): void;
  now?(): number;
  /** Milliseconds a tool may take where it says nothing itself; 0: no limit. Default 60,000. */
  readonly timeoutMs?: number;
  /** Characters of a result's text that the model sees, where the tool says nothing itself. Default 100,000. */
  readonly outputLimit?: number;
  /** The tool ended after its time was over or its run aborted; what it returned is discarded. */
  late?(): void;
}

/** What an execution needs beside the call. */
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
  const known: string[] = []; // secrets that must not reach the model
  const attempt = new Attempt(compiled.tool, context);
  let result: ToolResult;
  try {
    const work = attempt.wait(() => start(execution, attempt, known));
    const returned = isPromise(work) ? await work : work;
    const answered = attempt.givenUp ?? answer(compiled.tool, returned, context);
    result = isPromise(answered) ? await answered : answered;
  } catch (error) {
    result = attempt.givenUp ?? failed(error);
  }
  return { ...withoutKnown(result, known), toolFingerprint };
}

function failed(error: unknown): ToolResult {
  const message = isUtensilError(error) ? error.message : withoutHost(messageOf(error));
  return failure('tool_failed', `Tool execution failed: ${message}`);
}

function withoutKnown(result: ToolResult, secrets: readonly string[]): ToolResult {
  if (secrets.length === 0) return result;
  const clean = (text: string): string => withoutSecrets(text, secrets);
  const modelParts = result.modelParts.map((part) =>
    part.type === 'text' ? { ...part, text: clean(part.text) } : part,
  );
  return { ...result, output: mapStrings(result.output, clean), modelParts };
}

function start(execution: Execution, attempt: Attempt, known: string[]): Eventually<unknown> {
  const { compiled, value, secrets } = execution;
  const context = toolContext(execution, attempt);
  const returned = after(withSecrets(compiled, secrets, known), (options) =>
    compiled.tool.execute?.(value, options, context),
  );
  return after(returned, (each) => (isGenerator(each) ? drain(each, context, attempt) : each));
}

const attemptOf: unique symbol = Symbol('attempt');

/** One for all contexts, which then are of one shape: the signal is made for the tools that ask for it. */
const signal: PropertyDescriptor & ThisType<{ readonly [attemptOf]: Attempt }> = {
  enumerable: true,
  get() {
    return this[attemptOf].signal;
  },
};

function toolContext({ context, host }: Execution, attempt: Attempt): ToolContext {
  const { projectId, threadId, runId, callId, now = Date.now } = context;
  const given = {
    projectId,
    runId,
    callId,
    ...(threadId !== undefined && { threadId }),
    host,
    now,
    progress(update: unknown) {
      if (!attempt.isOver) context.progress?.(toJson(update));
    },
    [attemptOf]: attempt,
  };
  return Object.defineProperty(given, 'signal', signal) as typeof given & Pick<ToolContext, 'signal'>;
}

type Values = Readonly<Record<string, OptionValue>>;

function withSecrets(compiled: CompiledTool, secrets: Secrets | undefined, known: string[]): Eventually<Values> {
  const isPlain = compiled.secrets.length === 0 || secrets === undefined;
  return isPlain ? compiled.options : readSecrets(compiled, secrets, known);
}

async function readSecrets(
  { tool, options, secrets: ids }: CompiledTool,
  secrets: Secrets,
  known: string[],
): Promise<Values> {
  const found: Record<string, string> = {};
  for (const id of ids) {
    for (const name of [...(tool.formerNames ?? []), tool.name])
      found[id] = (await secrets.get(`${name}.${id}`)) ?? found[id] ?? '';
    if (found[id] === '') delete found[id];
  }
  known.push(...Object.values(found));
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
