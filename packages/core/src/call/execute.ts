import { messageForModel } from '../base/host-paths.ts';
import { answer } from './to-result.ts';
import type { OutputLimits } from './output-limit.ts';
import { cancelled } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import type { Secrets } from '../tool/capability.ts';
import type { CallContext } from './call-context.ts';
import type { CompiledTool } from './compile.ts';
import { isPromise, whenReady } from '../base/eventually.ts';
import type { Eventually } from '../base/eventually.ts';
import { isContainer, toJson } from '../base/json.ts';
import type { OptionValue } from '../tool/option.ts';
import { formsOf, withoutSecrets } from '../tool/redaction.ts';
import { failure } from '../tool/result.ts';
import type { ToolResult } from '../tool/result.ts';
import { toolContext, watchOf } from './tool-context.ts';
import type { CallUnderWay } from './tool-context.ts';

/** Context of an execution, apart from the call. */
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
export function executeTool(execution: Execution): Eventually<ToolResult> {
  const { compiled, toolFingerprint, context, host } = execution;
  const { tool } = compiled;
  if (context.signal.aborted) return { ...cancelled(tool), toolFingerprint };
  if (context.cancellation?.result !== undefined) return context.cancellation.result;
  const call: CallUnderWay = {
    tool,
    host,
    context,
    attempt: { isOver: false, givenUp: undefined, watch: undefined },
    secrets: [],
  };
  const result = resultOf(execution, call);
  return isPromise(result)
    ? result.then((each) => ended(call, each, toolFingerprint))
    : ended(call, result, toolFingerprint);
}

function resultOf(execution: Execution, call: CallUnderWay): Eventually<ToolResult> {
  try {
    const value = valueOf(execution, call);
    const result = isPromise(value) ? value.then((each) => answerOf(call, each)) : answerOf(call, value);
    return isPromise(result) ? result.catch((error: unknown) => failureOf(execution, call, error)) : result;
  } catch (error) {
    return failureOf(execution, call, error);
  }
}

function answerOf(call: CallUnderWay, value: unknown): Eventually<ToolResult> {
  return call.attempt.givenUp ?? answer(call.tool, value, limitsOf(call));
}

function failureOf({ value, context }: Execution, call: CallUnderWay, error: unknown): Eventually<ToolResult> {
  return context.signal.aborted ? cancelled(call.tool) : failed(error, value, call);
}

function ended({ attempt }: CallUnderWay, result: ToolResult, toolFingerprint: string): ToolResult {
  attempt.isOver = true;
  attempt.watch?.end();
  return { ...result, toolFingerprint };
}

function limitsOf({ context, secrets }: CallUnderWay): OutputLimits {
  return secrets.length === 0 ? context : { ...context, clean: (text) => withoutSecrets(text, secrets) };
}

/** Output of a tool. An asynchronous one gets a watch. */
function valueOf(execution: Execution, call: CallUnderWay): Eventually<unknown> {
  const work = start(execution, call);
  return isPromise(work) || call.context.signal.aborted ? watchOf(call).wait(work) : work;
}

/** Characters of the line that people are shown of a failure. */
const mostStatus = 300;

function failed(error: unknown, input: unknown, { secrets }: CallUnderWay): ToolResult {
  const message = withoutSecrets(messageForModel(error, JSON.stringify(toJson(input))), secrets);
  const status = message.split('\n', 1).join('').slice(0, mostStatus);
  return { ...failure('tool_failed', `Tool execution failed: ${message}`), status };
}

function start({ compiled, value, secrets }: Execution, under: CallUnderWay): Eventually<unknown> {
  const { attempt } = under;
  const context = toolContext(under);
  const finish = (returned: unknown): unknown => (isGenerator(returned) ? drain(returned, context, attempt) : returned);
  function call(options: Values): Eventually<unknown> {
    if (attempt.isOver) return undefined; // cancelled while its secrets were read
    const returned: unknown = compiled.tool.execute?.(value, options, context);
    return whenReady(returned, finish);
  }
  const isPlain = compiled.secrets.length === 0 || secrets === undefined;
  return isPlain ? call(compiled.options) : readSecrets(compiled, secrets, under).then(call);
}

type Values = Readonly<Record<string, OptionValue>>;

async function readSecrets(
  { tool, options, secrets: ids }: CompiledTool,
  secrets: Secrets,
  { context: { principal }, secrets: known }: CallUnderWay,
): Promise<Values> {
  const found: Record<string, string> = {};
  const asked = principal && { principal };
  for (const id of ids) {
    for (const name of [...(tool.formerNames ?? []), tool.name])
      found[id] = (await secrets.get(`${name}.${id}`, asked)) ?? found[id] ?? '';
    if (found[id]?.trim() === '') delete found[id]; // a blank text is not a secret
  }
  known.push(...Object.values(found).flatMap(formsOf));
  return { ...options, ...found };
}

function isGenerator(value: unknown): value is AsyncGenerator<unknown, unknown> {
  return isContainer(value) && Symbol.asyncIterator in value && 'next' in value && 'return' in value;
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
