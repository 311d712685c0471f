import { UtensilError } from '../../base/errors.ts';
import { createListeners } from '../../base/listeners.ts';
import type { Pauses } from '../../base/pauses.ts';
import type { CallContext, InnerCaller, InnerCalls } from '../../call/call-context.ts';
import type { RequestedCall } from '../../call/requested-call.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import { subCallMark } from '../../model/sub-call.ts';
import type { Principal } from '../../tool/capability.ts';
import { orPreparationFailure } from '../../tool/result.ts';
import type { ToolResult } from '../../tool/result.ts';
import type { RunEventBody } from '../../tool/run-event.ts';
import type { RunLimits } from '../../tool/run-limits.ts';
import { liveToolset } from '../../toolset/live.ts';
import type { Toolset, ToolsetSource } from '../../toolset/toolset.ts';
import type { Budget } from '../budget/budget.ts';
import { depthRefusal } from '../inner/call-depth.ts';
import { memoryGrants } from '../permission/grants.ts';
import type { Grants } from '../permission/grants.ts';
import { sessionOf, withSession } from './guard-session.ts';
import type { AskPeople, GuardedToolset, GuardSession } from './guard-session.ts';
import type { Policy } from '../permission/policy.ts';
import { createRepeatGuard } from '../permission/repeats.ts';
import { createTaint, CallObserver, taintBy } from '../taint.ts';
import { createGuardReview } from './guard-review.ts';
import type { AllowedCall, GuardedContext } from './guard-review.ts';

/** Options of {@link guard}. */
export interface GuardOptions {
  /** Decides about each call. */
  readonly policy: Policy;
  /** Stores grants for the answer `always`. Default: none, and `always` is not offered. */
  readonly grants?: Grants;
  /**
   * Asks people. If it answers `later`, or the call is part of a run, the question stays open. Default: in a run,
   * readers of its events are asked; elsewhere, the call is denied.
   */
  readonly ask?: AskPeople;
  /** The user on whose behalf all calls are made. */
  readonly principal?: Principal;
  /** Budgets for runs with this toolset. Calls outside of runs use no model, and thus no budget. */
  readonly budget?: Budget | readonly Budget[];
  /** For calls outside of runs; `repeats` applies to calls in runs, too. */
  readonly limits?: Pick<RunLimits, 'repeats' | 'toolTimeMs' | 'toolOutput'>;
  /** Called with events outside of runs; in a run they are events of the run. */
  readonly onEvent?: (event: RunEventBody) => void;
}

/**
 * A toolset whose `execute` decides about each call, asks people, and limits it, in any loop: a framework's, an MCP
 * server, or your own. Create one per conversation, because it remembers grants, repetitions and outside content. `run`
 * accepts it unchanged, and decides the same way. A source is evaluated at each call, as by `run`.
 *
 * @example
 * ```ts
 * import { createRegistry, emptySettings, resolveToolset } from '@utensil/core';
 * import { guard, rulesPolicy } from '@utensil/core/guard';
 *
 * const policy = rulesPolicy([{ decision: 'allow', effects: 'read' }]);
 * const toolset = guard(resolveToolset(createRegistry(), emptySettings, {}), {
 *   policy,
 *   ask: async ({ title }) => (title.startsWith('Read') ? 'once' : 'deny'),
 * });
 * ```
 */
export function guard(given: Toolset | ToolsetSource, options: GuardOptions): GuardedToolset {
  const toolset = typeof given === 'function' ? liveToolset(given) : given;
  if (sessionOf(toolset) !== undefined)
    throw new UtensilError('invalid_option', 'This toolset is already guarded: pass it to the loop unchanged.');
  const session: GuardSession = {
    policy: options.policy,
    ownGrants: memoryGrants(),
    grants: options.grants,
    ask: options.ask,
    principal: options.principal,
    budget: options.budget,
    repeats: createRepeatGuard(options.limits?.repeats),
    taint: createTaint(),
  };
  return guarded(toolset, { session, options });
}

/** Outside of runs, lists include deferred tools. */
const unknownModel = { api: 'text', id: '', supports: { deferredTools: true } } as const;

interface Guarding {
  readonly session: GuardSession;
  readonly options: GuardOptions;
}

function guarded(toolset: Toolset, guarding: Guarding): GuardedToolset {
  const { session, options } = guarding;
  const { taint, repeats, principal } = session;
  const { toolTimeMs, toolOutput } = options.limits ?? {};
  const listeners = createListeners<RunEventBody>();
  if (options.onEvent) listeners.subscribe(options.onEvent);
  const tell = listeners.notify;
  const reviewOf = createGuardReview({ toolset, session, tell });

  /** `around`: clocks of the outer calls. */
  async function prepare(call: RequestedCall, around: readonly Pauses[]): Promise<PreparedCall> {
    const ready = await toolset.prepare(call);
    return {
      ...ready,
      execute: (context) =>
        context.reviewedBy === session ? ready.execute(context) : execute(ready, { ...context, around }),
    };
  }

  function executed(call: RequestedCall, context: CallContext, around: readonly Pauses[]): Promise<ToolResult> {
    return orPreparationFailure(async () => (await prepare(call, around)).execute(context));
  }

  async function execute(ready: PreparedCall, context: GuardedContext): Promise<ToolResult> {
    const { callId, now = Date.now } = context;
    const started = now();
    const result = await decided(ready, context);
    tell({ type: 'tool-end', callId, name: ready.name, result, durationMs: now() - started });
    return result;
  }

  async function decided(ready: PreparedCall, context: GuardedContext): Promise<ToolResult> {
    for (const name of toolset.foreign) taintBy(taint, name); // a source may have added them since
    const refused = ready.refusal ?? repeats.refusal(ready);
    if (refused !== undefined) return refused;
    const reviewed = await reviewOf({ callId: context.callId, ready }, context);
    return 'result' in reviewed ? reviewed.result : performed(reviewed, context);
  }

  async function performed({ ready, isReviewed }: AllowedCall, context: GuardedContext): Promise<ToolResult> {
    const { callId, pauses = {}, around } = context;
    const { name, input, title, effects, repairs } = ready;
    tell({ type: 'tool-start', callId, name, input, title, effects, repairs });
    const result = await ready.execute({
      ...(toolTimeMs !== undefined && { timeoutMs: toolTimeMs }),
      ...(toolOutput !== undefined && { outputLimit: toolOutput }),
      ...context,
      pauses,
      ...(principal && { principal }),
      observer: new CallObserver(taint, isReviewed),
      inner: () => Promise.resolve(innerCalls({ ...context, around: [...around, pauses] })),
    });
    if (ready.openWorld) taintBy(taint, name);
    repeats.record(ready, result);
    return result;
  }

  /** Inner calls of a tool are decided like any other. */
  function innerCalls({ around, pauses: _, ...context }: GuardedContext): InnerCalls {
    let count = 0;
    return {
      async call({ callId, signal, before }: InnerCaller, name, input) {
        const refused = depthRefusal(callId);
        if (refused !== undefined) return refused;
        const bounds = before === undefined ? signal : AbortSignal.any([signal, before]);
        const { identity: __, ...rest } = context;
        const inner = { ...rest, callId: `${callId}${subCallMark}${++count}`, signal: bounds };
        return executed({ name, input }, inner, around);
      },
      tools: () => Promise.resolve(toolset.definitions(unknownModel)),
      prompts: (names) => {
        const { projectId, threadId } = context;
        const place = { projectId, ...(threadId !== undefined && { threadId }) };
        return toolset.derive({ only: names }).prompts({ model: unknownModel, ...place });
      },
      outputOf: () => Promise.resolve(undefined),
      mark: () => Promise.resolve(),
      run: () => Promise.reject(new UtensilError('run_ended', 'This call is part of no run.')),
    };
  }

  return withSession(
    toolset,
    {
      prepare: (call) => prepare(call, []),
      execute: async (call, context) => executed(call, context, []),
      derive: (change) => guarded(toolset.derive(change), guarding),
    },
    session,
  );
}
