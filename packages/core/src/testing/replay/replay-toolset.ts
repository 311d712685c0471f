import { memoryGrants } from '../../run/permission/grants.ts';
import type { Grants } from '../../run/permission/grants.ts';
import { sessionOf, withSession } from '../../run/guard/guard-session.ts';
import type { GuardSession } from '../../run/guard/guard-session.ts';
import { createRepeatGuard } from '../../run/permission/repeats.ts';
import { createTaint } from '../../run/taint.ts';
import type { CallContext } from '../../call/call-context.ts';
import type { RequestedCall } from '../../call/requested-call.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import type { Part, ToolResultPart } from '../../model/message.ts';
import type { ToolResult } from '../../tool/result.ts';
import { liveToolset } from '../../toolset/live.ts';
import type { Toolset, ToolsetSource } from '../../toolset/toolset.ts';
import { forGood } from './stage.ts';
import type { Stage } from './stage.ts';

/** The app's toolset; calls are prepared as usual and get their stored results. */
export function replayToolset(given: Toolset | ToolsetSource, stage: Stage): Toolset {
  const toolset = typeof given === 'function' ? liveToolset(given, given()) : given;
  const own: Partial<Toolset> = {
    prompts: async () => [],
    derive: (change) => replayToolset(toolset.derive(change), stage),
    async prepare(call) {
      stage.activity++;
      stage.busy++;
      try {
        return recorded(stage, await toolset.prepare(storedCall(stage, call)), idIn(call));
      } finally {
        stage.busy--;
      }
    },
    execute: forGood,
  };
  const members = { ...Object.getOwnPropertyDescriptors(toolset), ...Object.getOwnPropertyDescriptors(own) };
  const session = sessionOf(toolset);
  if (session !== undefined) return withSession(toolset, own, replaySession(session)); // its members are evaluated at each step
  return Object.defineProperties({} as Toolset, members);
}

/** Decides as the guard does, without changing it, its grants or its budgets. The answers are in the thread. */
function replaySession({ budget: _, ask: __, grants, ...session }: GuardSession): GuardSession {
  return {
    ...session,
    budget: undefined,
    ask: undefined,
    grants: grants && replayGrants(grants),
    ownGrants: memoryGrants(),
    repeats: createRepeatGuard(),
    taint: createTaint(),
  };
}

/** Stored approvals count in the replay, and are not stored again. */
export function replayGrants(grants: Grants): Grants {
  const own = memoryGrants();
  return { has: async (grant) => (await own.has(grant)) || grants.has(grant), add: (grant) => own.add(grant) };
}

/** the loop prepares calls with their ids */
function idIn(call: RequestedCall): string | undefined {
  return 'callId' in call && typeof call.callId === 'string' ? call.callId : undefined;
}

/** Calls of the model are stored ones: their tools may expect another input by now. */
function storedCall({ script }: Stage, call: RequestedCall): RequestedCall {
  const callId = idIn(call);
  if (callId === undefined || call.stored?.toolFingerprint !== undefined) return call;
  const toolFingerprint = script.results.get(callId)?.part.toolFingerprint;
  return { ...call, stored: toolFingerprint === undefined ? {} : { toolFingerprint } };
}

function recorded(stage: Stage, ready: PreparedCall, callId: string | undefined): PreparedCall {
  const { script, prepared, real } = stage;
  if (callId !== undefined) {
    prepared.set(callId, ready);
    if (ready.migratedFrom !== undefined) {
      stage.migrated.set(callId, ready.input);
      stage.notes.add(`Calls of "${ready.name}" are replayed as its migrateCall gives them.`);
    }
  }
  const stored = callId === undefined ? undefined : script.results.get(callId)?.part;
  const isDenied = !stage.decides && stored?.deniedBy === 'policy';
  const { preview: _, reconcile, settleDetached, ...rest } = ready;
  return {
    ...rest,
    ...(isDenied && { refusal: resultOf(stored) }),
    ...(ready.preview && { preview: async () => previewOf(stage, callId) }),
    ...(reconcile && { reconcile: (_context, seen) => reconciled(stage, callId, seen) }),
    ...(settleDetached && { settleDetached: (_handle, context) => lateFor(stage, context) }),
    execute: (context) => (real.has(ready.name) ? ready.execute(context) : resultFor(stage, ready, context)),
  };
}

function previewOf({ script }: Stage, callId: string | undefined): PreparedReview {
  return script.questions.findLast((each) => each.callId === callId && each.kind === 'approval')?.preview;
}

type PreparedReview = Awaited<ReturnType<NonNullable<PreparedCall['preview']>>>;

/** The tool's stored answer about an interrupted call, if the thread shows it. */
async function reconciled(
  { script, expectation }: Stage,
  callId: string | undefined,
  seen: (told: unknown) => unknown,
): Promise<ToolResult> {
  const stored = callId === undefined ? undefined : script.results.get(callId)?.part;
  const isAsked = expectation.open().some(({ entry }) => entry.type === 'question' && entry.callId === callId);
  if (callId !== undefined && script.begun.has(callId) && !isAsked) seen('not-done');
  else if (isAsked || stored === undefined || stored.code === 'tool_interrupted') seen('unknown');
  else seen({ done: stored.output });
  return stored === undefined ? forGood() : resultOf(stored);
}

/** Stored result of a call that the loop runs. */
async function resultFor(stage: Stage, { name, openWorld }: PreparedCall, context: CallContext): Promise<ToolResult> {
  const { script, hanging } = stage;
  const { callId, observer, signal } = context;
  const stored = script.results.get(callId);
  stage.activity++;
  if (stored === undefined) {
    hanging.add(callId);
    return forGood();
  }
  const { part, position, behind } = stored;
  const isGivenUp = part.code === 'tool_cancelled' || (part.code === 'tool_interrupted' && stage.endsCalls);
  if (part.toolFingerprint === undefined && !isGivenUp) {
    const message = `Call "${callId}" of "${name}" runs; it had its result without running: ${textOf(part)}`;
    stage.diverge({ message, entry: position, callId, field: 'execute', expected: part.code ?? 'no run', got: 'run' });
    return forGood();
  }
  await untilStreamed(stage, behind);
  if (isGivenUp && !isByUser(part)) await fired(signal);
  if (part.openWorld === true && !openWorld) observer?.taint(name, []);
  const input = script.rewritten.get(callId);
  return {
    ...resultOf(part),
    ...(input && { input }),
    ...(script.endedBy === callId && { control: { end: { value: part.output } } }),
  };
}

/** A result that arrived while its turn was streamed arrives equally late. */
function untilStreamed(
  { streamed, waiting, script, asked }: Stage,
  callIds: readonly string[],
): Promise<void> | undefined {
  const made = new Set(script.turns.slice(0, asked).flatMap(({ streamed: { parts } }) => parts.map(idOf)));
  const isThere = (): boolean => callIds.every((callId) => streamed.has(callId) || !made.has(callId));
  if (isThere()) return undefined;
  return new Promise((resolve) => {
    const look = (): void => {
      if (isThere() && waiting.delete(look)) resolve();
    };
    waiting.add(look);
  });
}

function idOf(part: Part): string | undefined {
  return part.type === 'tool-call' ? part.callId : undefined;
}

/** Stored result of a background call, delivered once the model is asked for the turn after which it arrived. */
async function lateFor(stage: Stage, { callId, cancellation = {} }: CallContext): Promise<ToolResult> {
  const late = stage.script.late.get(callId);
  if (late === undefined) return forGood();
  const { type: _, callId: __, name: ___, title, durationMs, openWorld, ...result } = late.part;
  if (isByUser(late.part)) {
    stage.background.set(callId, () => stage.cancel(callId));
    await new Promise<void>((resolve) => (cancellation.giveUp = () => resolve()));
  } else if (late.turn >= 0) await new Promise<void>((resolve) => stage.background.set(callId, resolve));
  return result;
}

/** True if a result says that a person cancelled the call. */
export function isByUser(part: Pick<ToolResultPart, 'output'>): boolean {
  return String(part.output).startsWith('The user cancelled this call');
}

/** Text of a result, for people. */
function textOf(part: ToolResultPart): string {
  return JSON.stringify(part.output)?.slice(0, 200) ?? '';
}

/** A stored result in the form that the tool returned. */
function resultOf(part: ToolResultPart): ToolResult {
  const { type: _, callId, name, calledAs, durationMs, openWorld, ...result } = part;
  return result;
}

function fired(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
