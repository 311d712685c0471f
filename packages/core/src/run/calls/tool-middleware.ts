import { messageForModel } from '../../base/host-paths.ts';
import { longestTimer } from '../../base/environment.ts';
import { UtensilError } from '../../base/errors.ts';
import type { Eventually } from '../../base/eventually.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { timedOut, watchOver } from '../../call/attempt.ts';
import type { Attempt, Cancellation } from '../../call/attempt.ts';
import type { CallContext } from '../../call/call-context.ts';
import type { RequestedCall } from '../../call/requested-call.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import { failure, isDone, isExplicitResult } from '../../tool/result.ts';
import type { ExplicitResult, ToolResult } from '../../tool/result.ts';
import type { ToolContext } from '../../tool/tool.ts';
import { liveToolset } from '../../toolset/live.ts';
import type { Toolset, ToolsetSource } from '../../toolset/toolset.ts';
import { sessionOf } from '../guard/guard-session.ts';

/** A call about to run: checked, permitted, and recorded in the thread if it may change something. */
export type CallToRun = Pick<
  PreparedCall,
  'name' | 'input' | 'title' | 'effects' | 'openWorld' | 'idempotent' | 'toolFingerprint'
> & {
  readonly callId: string;
  /** The tool's handle, if the call is in the background and its result is awaited. */
  readonly detached?: Json;
};

/** Context of a tool middleware, in addition to the call. */
export type ToolMiddlewareContext = Pick<ToolContext, 'projectId' | 'threadId' | 'runId' | 'principal' | 'signal'>;

/** A layer between the loop and the tools that sees every call. See {@link withToolMiddleware}. */
export interface ToolMiddleware {
  /** Shown to the model if it fails. */
  readonly name: string;
  /**
   * Runs a call. `next` runs the tool with the permitted input, and never rejects; a second `next()` rejects with
   * `next_called_twice`. Returns the value of `next`, or a `result({ … })` in its place, which is checked and rendered
   * like the tool's own. The tool's time limit applies before `next`, and again after it.
   */
  aroundTool(
    call: CallToRun,
    next: () => Promise<ToolResult>,
    context: ToolMiddlewareContext,
  ): Eventually<ToolResult | ExplicitResult>;
}

/**
 * Wraps the tools of a toolset in middleware; the first one is outermost. It runs inside permissions, time limits and
 * cancellation, and also wraps inner calls, calls of inner runs, and results of a tool's `reconcile`. A middleware that
 * throws fails the call with `tool_failed` and `Hook error in "{name}"`. Results given by a client bypass it. Throws
 * `invalid_option` for a guarded toolset: guard the returned one instead.
 *
 * @example
 * ```ts
 * import { createRegistry, emptySettings, resolveToolset, result, withToolMiddleware } from '@utensil/core';
 * import type { Json, ToolMiddleware } from '@utensil/core';
 *
 * const kept = new Map<string, Json>();
 * const cache: ToolMiddleware = {
 *   name: 'cache',
 *   async aroundTool({ name, input, effects }, next) {
 *     const key = JSON.stringify([name, input]);
 *     const output = kept.get(key);
 *     if (output !== undefined) return result({ output });
 *     const given = await next();
 *     if (effects === 'read' && !given.isError) kept.set(key, given.output);
 *     return given;
 *   },
 * };
 * const toolset = withToolMiddleware(resolveToolset(createRegistry(), emptySettings, {}), cache);
 * ```
 */
export function withToolMiddleware(given: Toolset | ToolsetSource, ...middleware: readonly ToolMiddleware[]): Toolset {
  const toolset = typeof given === 'function' ? liveToolset(given) : given;
  if (sessionOf(toolset) === undefined) return middleware.reduceRight(behind, toolset);
  const problem = 'This toolset is guarded, and a middleware stands inside permissions: guard the toolset that has it.';
  throw new UtensilError('invalid_option', problem);
}

function behind(toolset: Toolset, middleware: ToolMiddleware): Toolset {
  async function prepare(call: RequestedCall): Promise<PreparedCall> {
    const ready = await toolset.prepare(call);
    const { settleDetached, reconcile } = ready;
    const settling = settleDetached && {
      settleDetached: (detached: Json, context: CallContext, leftMs?: number) => {
        const execute = (given: CallContext) => settleDetached(detached, given, leftMs);
        return executeBehind(middleware, { ...ready, execute }, { context, detached });
      },
    };
    if (ready.refusal !== undefined) return { ...ready, ...settling };
    const reconciling = reconcile && { reconcile: reconcileBehind(middleware, ready, reconcile) };
    return {
      ...ready,
      ...settling,
      ...reconciling,
      execute: (context) => executeBehind(middleware, ready, { context }),
    };
  }
  const own: Partial<Toolset> = {
    prepare,
    execute: async (call, context) => (await prepare(call)).execute(context),
    derive: (change) => behind(toolset.derive(change), middleware),
  };
  const members = Object.getOwnPropertyDescriptors(own);
  return Object.defineProperties({} as Toolset, { ...Object.getOwnPropertyDescriptors(toolset), ...members });
}

type Reconcile = NonNullable<PreparedCall['reconcile']>;

/**
 * The reconciled result of an interrupted call passes through as if the call had just run; unknown outcomes bypass it.
 */
function reconcileBehind(middleware: ToolMiddleware, ready: PreparedCall, reconcile: Reconcile): Reconcile {
  return async (context, seen) => {
    let said: unknown;
    const result = await reconcile(context, (told) => seen((said = told)));
    if (result.isError || !isDone(said)) return result;
    return executeBehind(middleware, { ...ready, execute: async () => result }, { context });
  };
}

/**
 * Runs a call through a middleware. Never throws, and returns at once when the call is cancelled, whatever the
 * middleware does.
 */
async function executeBehind(
  middleware: ToolMiddleware,
  ready: PreparedCall,
  { context, detached }: { readonly context: CallContext; readonly detached?: Json },
): Promise<ToolResult> {
  const { cancellation = {}, ...inner } = context;
  if (context.signal.aborted || cancellation.result !== undefined) return ready.execute(context);
  const attempt: Attempt = { isOver: false };
  const watch = watchOver(attempt, { name: ready.name, timeoutMs: 0 }, { signal: context.signal, cancellation });
  const time = createTime(ready.timeoutMs ?? context.timeoutMs ?? 60_000, cancellation);
  const { projectId, threadId, runId, principal, callId } = context;
  let given: Eventually<ToolResult> | undefined;
  let passedOn: ToolResult | undefined;

  async function next(): Promise<ToolResult> {
    if (given !== undefined) throw calledTwice(middleware, ready);
    if (attempt.isOver) throw new UtensilError('tool_cancelled', 'This call has ended: its tool cannot run any more.');
    time.pause();
    const result = ready.execute({ ...inner, signal: watch.signal });
    given = result;
    passedOn = await result;
    if (!attempt.isOver) time.goOn();
    return passedOn;
  }

  const work = async (): Promise<unknown> =>
    middleware.aroundTool({ ...callOf(ready), callId, ...(detached !== undefined && { detached }) }, next, {
      projectId,
      runId,
      signal: watch.signal,
      ...(threadId !== undefined && { threadId }),
      ...(principal && { principal }),
    });
  time.goOn();
  try {
    const returned = await watch.wait(work());
    if (attempt.givenUp !== undefined) return stamped(attempt.givenUp, ready);
    if (returned === passedOn && passedOn !== undefined) return passedOn;
    if (isExplicitResult(returned)) return await ready.settle(returned, context);
    throw new Error('it returned neither what `next` gave nor `result({ … })`.');
  } catch (error) {
    return stamped(hookFailure(middleware, error, { ready, hasRun: given !== undefined }), ready);
  } finally {
    time.pause();
    if (given !== undefined && passedOn === undefined) cancellation.giveUp?.(new Error('Its middleware has returned.'));
    watch.end();
  }
}

/** A middleware may modify its arguments; the history, which shares the input, must not change. */
function callOf({ name, input, title, effects, openWorld, idempotent, toolFingerprint }: PreparedCall) {
  const copy = JSON.parse(JSON.stringify(input)) as JsonObject;
  const known = toolFingerprint !== undefined && { toolFingerprint };
  return { name, input: copy, title, effects, openWorld, idempotent, ...known };
}

function stamped(result: ToolResult, { toolFingerprint }: PreparedCall): ToolResult {
  return toolFingerprint === undefined ? result : { ...result, toolFingerprint };
}

/** Time limit of the middleware itself, without its tool. */
function createTime(ms: number, cancellation: Cancellation): { goOn(): void; pause(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  function end(): void {
    cancellation.result ??= timedOut(ms);
    cancellation.giveUp?.(new Error(`The tool's ${ms} ms are over.`));
  }
  return {
    goOn() {
      if (ms > 0 && ms <= longestTimer) timer = setTimeout(end, ms);
    },
    pause: () => clearTimeout(timer),
  };
}

function calledTwice({ name }: ToolMiddleware, { name: tool }: PreparedCall): UtensilError {
  const problem = `The middleware "${name}" called \`next()\` twice: a call runs its tool ("${tool}") once.`;
  return new UtensilError('next_called_twice', problem);
}

function hookFailure(
  { name }: ToolMiddleware,
  error: unknown,
  { ready, hasRun }: { readonly ready: PreparedCall; readonly hasRun: boolean },
): ToolResult {
  const message = messageForModel(error, JSON.stringify(ready.input));
  const when = hasRun ? ', after the tool had begun' : '';
  return failure('tool_failed', `Tool execution failed: Hook error in "${name}"${when}: ${message}`);
}
