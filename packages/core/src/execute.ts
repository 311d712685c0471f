import type { Secrets } from './capability.ts';
import type { CompiledTool } from './compile.ts';
import { isUtensilError, messageOf } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import { explainIssues } from './explain.ts';
import { toJson } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import type { ContentPart } from './message.ts';
import type { OptionValue } from './option.ts';
import { boundParts, withoutHost, withoutSecrets } from './output.ts';
import { modelPartsOf } from './render.ts';
import type { Schema } from './schema.ts';
import { isAnswer } from './tool.ts';
import type { Control, Tool, ToolAnswer, ToolContext } from './tool.ts';

/** What came of a call. */
export interface ToolResult {
  readonly output: Json;
  /** What the model sees. Never empty. */
  readonly modelParts: readonly ContentPart[];
  /** One line for people. */
  readonly status?: string;
  /** What a person sees. */
  readonly userView?: Json;
  readonly isError: boolean;
  /** Why it failed, for programs. */
  readonly code?: ErrorCode;
  /** The input, as the tool rewrote it. */
  readonly input?: JsonObject;
  readonly control?: Control;
  readonly toolFingerprint?: string;
}

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

/** A failed call: `text` is what the model sees. */
export function failure(code: ErrorCode, text: string): ToolResult {
  return { output: text, modelParts: [{ type: 'text', text }], isError: true, code };
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
  const outputLimit = compiled.tool.outputLimit ?? context.outputLimit ?? 100_000;
  const known: string[] = []; // secrets that must not reach the model in an error
  try {
    const outcome = await settle(execution, (signal) => start(execution, signal, known));
    if (!('value' in outcome)) return outcome;
    const answered = await answer(compiled.tool, outcome.value);
    return {
      ...answered,
      modelParts: boundParts(answered.modelParts, outputLimit),
      toolFingerprint,
    };
  } catch (error) {
    if (context.signal.aborted) return cancelled(compiled.tool);
    const message = isUtensilError(error) ? error.message : withoutHost(messageOf(error));
    const failed = failure('tool_failed', `Tool execution failed: ${withoutSecrets(message, known)}`);
    return {
      ...failed,
      modelParts: boundParts(failed.modelParts, outputLimit),
      toolFingerprint,
    };
  }
}

/** The answer to a call whose run was aborted. */
function cancelled({ name }: Pick<Tool, 'name'>): ToolResult {
  return failure('tool_cancelled', `Tool "${name}" was cancelled. If it ends later, its result is discarded.`);
}

type Outcome = { readonly value: unknown } | ToolResult;

/** Settles with the work, the end of its time or the abort, whichever is first. */
function settle({ compiled, context }: Execution, work: (signal: AbortSignal) => Promise<unknown>): Promise<Outcome> {
  if (context.signal.aborted) return Promise.resolve(cancelled(compiled.tool));
  const timeoutMs = compiled.tool.timeoutMs ?? context.timeoutMs ?? 60_000;
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    let settled = false;
    const finish = (end: () => void): void => {
      if (settled) return context.late?.();
      settled = true;
      context.signal.removeEventListener('abort', abort);
      clearTimeout(timer);
      end();
    };
    const give = (result: ToolResult, reason: unknown): void => {
      finish(() => resolve(result));
      controller.abort(reason);
    };
    const abort = (): void => give(cancelled(compiled.tool), context.signal.reason);
    const timer =
      timeoutMs > 0
        ? setTimeout(() => give(timedOut(timeoutMs), new Error(`The tool's ${timeoutMs} ms are over.`)), timeoutMs)
        : undefined;
    context.signal.addEventListener('abort', abort);
    work(controller.signal).then(
      (value) => finish(() => resolve({ value })),
      (error: unknown) => finish(() => reject(error)),
    );
  });
}

function timedOut(ms: number): ToolResult {
  return failure('tool_timeout', `Tool execution timed out after ${ms}ms`);
}

async function start(
  { compiled, value, context, host, secrets }: Execution,
  signal: AbortSignal,
  known: string[],
): Promise<unknown> {
  const { tool } = compiled;
  const options = hasSecrets(tool) && secrets ? await withSecrets(compiled, secrets, known) : compiled.options;
  const progress = (update: unknown): void => {
    if (!signal.aborted) context.progress?.(toJson(update));
  };
  const { projectId, threadId, runId, callId, now = Date.now } = context;
  const about = { projectId, runId, callId, ...(threadId !== undefined && { threadId }) };
  const returned: unknown = await tool.execute?.(value, options, { ...about, signal, host, now, progress });
  return isGenerator(returned) ? drain(returned, { signal, progress }) : returned;
}

function hasSecrets({ options = {} }: Tool): boolean {
  return Object.values(options).some(({ kind }) => kind === 'secret');
}

async function withSecrets(
  { tool, options }: CompiledTool,
  secrets: Secrets,
  known: string[],
): Promise<Record<string, OptionValue>> {
  const ids = Object.entries(tool.options ?? {}).flatMap(([id, { kind }]) => (kind === 'secret' ? [id] : []));
  const values = await Promise.all(ids.map(async (id) => [id, await secrets.get(`${tool.name}.${id}`)] as const));
  const found = values.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
  known.push(...found.map(([, secret]) => secret));
  return { ...options, ...Object.fromEntries(found) };
}

function isGenerator(value: unknown): value is AsyncGenerator<unknown, unknown> {
  return (
    typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value && 'return' in value
  );
}

interface Watch {
  readonly signal: AbortSignal;
  progress(update: unknown): void;
}

async function drain(generator: AsyncGenerator<unknown, unknown>, { signal, progress }: Watch): Promise<unknown> {
  for (;;) {
    const { done, value } = await generator.next();
    if (done === true) return value;
    if (signal.aborted) return generator.return(undefined);
    progress(value);
  }
}

/** What a tool returned, as a result. */
async function answer(tool: Tool, returned: unknown): Promise<ToolResult> {
  const {
    output: raw,
    parts,
    isError = false,
    input,
    control,
  }: Partial<ToolAnswer> = isAnswer(returned) ? returned : { output: returned };
  const problem = isError || tool.output === undefined ? undefined : await outputProblem(tool, tool.output, raw);
  if (problem !== undefined) return failure('invalid_output', problem);
  const output = toJson(raw);
  return {
    output,
    modelParts: parts ?? attempt(() => modelPartsOf(tool, output)) ?? modelPartsOf({ ...tool, render: {} }, output),
    isError,
    ...(isError && { code: 'tool_failed' }),
    ...(input && { input }),
    ...(control && { control }),
    ...defined(
      'status',
      attempt(() => tool.render?.status?.(output)),
    ),
    ...defined(
      'userView',
      attempt(() => tool.render?.user?.(output)),
    ),
  };
}

async function outputProblem({ name }: Tool, schema: Schema, output: unknown): Promise<string | undefined> {
  const { issues } = await schema['~standard'].validate(output);
  if (issues === undefined) return undefined;
  const expected = attempt(() => schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as JsonObject) ?? {};
  return `Tool execution failed: "${name}" returned something that does not match its output schema:\n${explainIssues(issues, output, expected)}`;
}

/** A view that fails must not lose the result that it was to show. */
function attempt<Value>(view: () => Value): Value | undefined {
  try {
    return view();
  } catch {
    return undefined;
  }
}

function defined<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]: Value });
}
