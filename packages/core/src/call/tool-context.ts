import { UtensilError } from '../base/errors.ts';
import { messageForModel } from '../base/host-paths.ts';
import { shortHexNow } from '../base/hash-now.ts';
import { mapStrings, toJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { withoutSecrets } from '../tool/redaction.ts';
import { failure, unknownTool } from '../tool/result.ts';
import type { SubRun, SubRunOptions, Tool, ToolContext } from '../tool/tool.ts';
import { cancelled, watchOver } from './attempt.ts';
import type { Attempt, Watch } from './attempt.ts';
import type { CallContext, InnerCaller } from './call-context.ts';

/** A call while its tool runs. */
export interface CallUnderWay {
  readonly tool: Tool;
  readonly host: Readonly<Record<string, unknown>>;
  readonly context: CallContext;
  readonly attempt: Attempt;
  /** Secrets that must not reach the model, nor the log of the run. */
  readonly secrets: string[];
}

/** Cancels a call from outside. Created on first use. */
export function watchOf(call: CallUnderWay): Watch {
  return (call.attempt.watch ??= watchOver(call.attempt, call.tool, call.context));
}

/**
 * The context of a call for its tool. Few tools use more than a member or two, so each member is made when it is asked for; it
 * is an object like any other, which can be spread.
 */
export function toolContext(call: CallUnderWay): ToolContext {
  return new Proxy({}, new MembersOf(call)) as ToolContext;
}

type Members = { readonly [Name in keyof ToolContext]-?: (call: CallUnderWay) => ToolContext[Name] | undefined };

const members: Members = {
  projectId: ({ context }) => context.projectId,
  threadId: ({ context }) => context.threadId,
  runId: ({ context }) => context.runId,
  callId: ({ context }) => context.callId,
  principal: ({ context }) => context.principal,
  host: ({ host }) => host,
  now: ({ context }) => context.now ?? Date.now,
  signal: (call) => watchOf(call).signal,
  tainted: ({ context }) => context.observer?.isTainted() ?? false,
  idempotencyKey({ context: { projectId, runId, callId, identity = () => [runId, callId] } }) {
    return shortHexNow(JSON.stringify([projectId, identity()]));
  },
  progress: ({ attempt, context, secrets }) =>
    function progress(update: unknown) {
      if (!attempt.isOver) context.progress?.(mapStrings(toJson(update), (text) => withoutSecrets(text, secrets)));
    },
  call: (call) =>
    async function callInside(name, input, { signal: given } = {}) {
      const { attempt, context } = call;
      if (context.inner === undefined) return unknownTool(name);
      if (attempt.isOver || given?.aborted === true) return cancelled({ name });
      try {
        return await (await context.inner()).call({ ...callerOf(call), ...(given && { before: given }) }, name, input);
      } catch (error) {
        return failure('tool_failed', `The call of "${name}" could not begin: ${messageForModel(error)}`);
      }
    },
  beforeEffect: ({ attempt, context }) =>
    async function beforeEffect() {
      if (!attempt.isOver) await (await context.inner?.())?.mark(context.callId);
      if (attempt.isOver)
        throw new UtensilError('tool_cancelled', 'This call has ended: it cannot change anything any more.');
    },
  tools:
    ({ context }) =>
    async () =>
      (await context.inner?.())?.tools() ?? [],
  prompts:
    ({ context }) =>
    async (names) =>
      (await context.inner?.())?.prompts(names) ?? [],
  outputOf:
    ({ context }) =>
    async (id) =>
      (await context.inner?.())?.outputOf(id),
  run: (call) =>
    async function runInside<Output = Json>(options: SubRunOptions<Output>): Promise<SubRun<Output>> {
      const { attempt, context } = call;
      if (context.inner === undefined) throw new UtensilError('run_ended', 'This call is part of no run.');
      if (attempt.isOver) throw new UtensilError('run_ended', 'This call has ended: it cannot start a run any more.');
      return (await context.inner()).run(callerOf(call), options) as Promise<SubRun<Output>>; // its schema has checked the value
    },
};

const names = Object.keys(members) as readonly (keyof ToolContext)[];
const optional: readonly PropertyKey[] = ['threadId', 'principal'] satisfies readonly (keyof ToolContext)[];

function callerOf(call: CallUnderWay): InnerCaller {
  return { callId: call.context.callId, signal: watchOf(call).signal };
}

/** The members of one call: a class, because a closure for each trap would cost more than the traps save. */
class MembersOf implements ProxyHandler<object> {
  readonly #call: CallUnderWay;

  constructor(call: CallUnderWay) {
    this.#call = call;
  }

  get(target: object, name: PropertyKey): unknown {
    return isMember(name) ? members[name](this.#call) : Reflect.get(target, name);
  }

  has(target: object, name: PropertyKey): boolean {
    return this.#isThere(name) || Reflect.has(target, name);
  }

  ownKeys(): string[] {
    return names.filter((name) => this.#isThere(name));
  }

  getOwnPropertyDescriptor(target: object, name: PropertyKey): PropertyDescriptor | undefined {
    if (!this.#isThere(name)) return undefined;
    return { value: this.get(target, name), enumerable: true, configurable: true, writable: true };
  }

  #isThere(name: PropertyKey): boolean {
    if (!isMember(name)) return false;
    return !optional.includes(name) || members[name](this.#call) !== undefined;
  }
}

function isMember(name: PropertyKey): name is keyof ToolContext {
  return Object.hasOwn(members, name);
}
