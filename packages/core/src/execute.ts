import { answer } from './answer.ts';
import type { Secrets } from './capability.ts';
import type { CompiledTool } from './compile.ts';
import { isUtensilError, messageOf } from './errors.ts';
import { mapStrings, toJson } from './json.ts';
import type { Json } from './json.ts';
import type { OptionValue } from './option.ts';
import { longestTimer } from './environment.ts';
import { withoutHost, withoutSecrets } from './output.ts';
import type { Tool, ToolContext } from './tool.ts';
import { cancelledText, failure } from './tool-result.ts';
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
  const result = await settle(execution, (watch) => start(execution, watch, known)).then(
    (outcome) => (outcome.type === 'given-up' ? outcome.result : answer(compiled.tool, outcome.value, context)),
    (error: unknown) => (context.signal.aborted ? cancelled(compiled.tool) : failed(error)),
  );
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

function cancelled({ name }: Pick<Tool, 'name'>): ToolResult {
  return failure('tool_cancelled', cancelledText(name));
}

type Outcome =
  | { readonly type: 'returned'; readonly value: unknown }
  | { readonly type: 'given-up'; readonly result: ToolResult };

/** What a running tool may look at. */
interface Watch {
  readonly signal: AbortSignal;
  /** Nobody waits any longer: it ended, or was given up. */
  isOver(): boolean;
}

/** Settles with the work, the end of its time or the abort, whichever is first. */
function settle({ compiled, context }: Execution, work: (watch: Watch) => Promise<unknown>): Promise<Outcome> {
  if (context.signal.aborted) return Promise.resolve({ type: 'given-up', result: cancelled(compiled.tool) });
  const timeoutMs = compiled.tool.timeoutMs ?? context.timeoutMs ?? 60_000;
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    let isOver = false;
    const finish = (end: () => void): void => {
      isOver = true;
      context.signal.removeEventListener('abort', abort);
      clearTimeout(timer);
      end();
    };
    const giveUp = (result: ToolResult, reason: unknown): void => {
      finish(() => resolve({ type: 'given-up', result }));
      controller.abort(reason);
    };
    const abort = (): void => giveUp(cancelled(compiled.tool), context.signal.reason);
    const timer =
      timeoutMs > 0 && timeoutMs <= longestTimer
        ? setTimeout(() => giveUp(timedOut(timeoutMs), new Error(`The tool's ${timeoutMs} ms are over.`)), timeoutMs)
        : undefined;
    context.signal.addEventListener('abort', abort);
    work({ signal: controller.signal, isOver: () => isOver }).then(
      (value) => (isOver ? context.late?.() : finish(() => resolve({ type: 'returned', value }))),
      (error: unknown) => (isOver ? undefined : finish(() => reject(error))),
    );
  });
}

function timedOut(ms: number): ToolResult {
  return failure('tool_timeout', `Tool execution timed out after ${ms}ms`);
}

async function start(
  { compiled, value, context, host, secrets }: Execution,
  { signal, isOver }: Watch,
  known: string[],
): Promise<unknown> {
  const { tool } = compiled;
  const options = await withSecrets(compiled, secrets, known);
  const progress = (update: unknown): void => {
    if (!isOver()) context.progress?.(toJson(update));
  };
  const { projectId, threadId, runId, callId, now = Date.now } = context;
  const about = { projectId, runId, callId, ...(threadId !== undefined && { threadId }) };
  const returned: unknown = await tool.execute?.(value, options, { ...about, signal, host, now, progress });
  return isGenerator(returned) ? drain(returned, progress, isOver) : returned;
}

async function withSecrets(
  { tool, options }: CompiledTool,
  secrets: Secrets | undefined,
  known: string[],
): Promise<Readonly<Record<string, OptionValue>>> {
  const ids = Object.entries(tool.options ?? {}).flatMap(([id, { kind }]) => (kind === 'secret' ? [id] : []));
  if (ids.length === 0 || secrets === undefined) return options;
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
  progress: (update: unknown) => void,
  isOver: () => boolean,
): Promise<unknown> {
  for (;;) {
    const { done, value } = await generator.next();
    if (done === true) return value;
    if (isOver()) return generator.return(undefined);
    progress(value);
  }
}
