import type { JsonObject } from '../../base/json.ts';
import { sessionOf } from '../../run/guard/guard-session.ts';
import { resume, run } from '../../run/lazy-run.ts';
import type { Run } from '../../run/run.ts';
import type { RunEvent } from '../../tool/run-event.ts';
import type { Toolset } from '../../toolset/toolset.ts';
import { describe, nameOf } from './describe.ts';
import { createExpectation, insideOf } from './expectation.ts';
import type { Expected } from './expectation.ts';
import { createHands, createTimers } from './hands.ts';
import { threadFor } from './replay-log.ts';
import { optionsFor } from './replay-options.ts';
import type { SegmentSetup } from './replay-options.ts';
import { messageIn } from './segment.ts';
import { scriptOf } from './script.ts';
import type { Divergence, Stage } from './stage.ts';

/** Result of playing a segment. */
export interface PlayedSegment {
  readonly divergence: Divergence | undefined;
  readonly steps: number;
}

/** Replays the work of one process on a run, and compares what it stores. */
export async function playSegment(setup: SegmentSetup): Promise<PlayedSegment> {
  const { segment, notes } = setup;
  const script = scriptOf(segment);
  const timers = createTimers(segment);
  const migrated = new Map<string, JsonObject>();
  let divergence: Divergence | undefined;
  const stage: Stage = {
    segment,
    script,
    expectation: createExpectation(segment, { ignored: setup.ignored, migrated }),
    real: new Set(setup.real),
    decides: setup.options.policy !== undefined || sessionOf(toolsetIn(setup)) !== undefined,
    endsCalls: segment.end === undefined || ['aborted', 'limit', 'error'].includes(segment.end.status ?? ''),
    compacts: setup.model.contextWindow !== undefined,
    asked: 0,
    activity: 0,
    busy: 0,
    isOver: false,
    streamed: new Set(),
    waiting: new Set(),
    prepared: new Map(),
    migrated,
    hanging: new Set(),
    background: new Map(),
    notes,
    send: (turn) => hands.send(turn),
    cancel: (callId) => hands.cancel(callId),
    diverge(found) {
      if (stage.isOver) return;
      divergence = { ...found, runId: segment.runId, step: Math.max(1, stage.asked) };
      stage.isOver = true;
    },
  };
  const thread = await threadFor(setup, stage);
  const options = { ...optionsFor(setup, stage), environment: timers.environment, thread };
  const playing: Run = segment.given === undefined ? resume(options) : run({ ...options, messages: segment.given });
  const hands = createHands(stage, () => playing, timers);
  hands.send(-1);
  await watch(stage, playing, hands);
  return { divergence, steps: stage.asked };
}

function toolsetIn({ toolset }: SegmentSetup): Toolset {
  return typeof toolset === 'function' ? toolset() : toolset;
}

/** Follows a run until it has ended, stored everything expected, or diverged. */
async function watch(stage: Stage, playing: Run, hands: ReturnType<typeof createHands>): Promise<void> {
  const end = { isReached: false };
  const ended = playing.result.then(() => (end.isReached = true));
  const isOver = (): boolean => end.isReached || stage.isOver;
  void follow(stage, playing, hands);
  for (let isLast = false; !isOver();) {
    const seen = stage.activity;
    await Promise.race([ended, untilIdle(stage, isOver)]);
    if (isOver()) break;
    if (isReplayed(stage)) stage.isOver = true;
    else if (hands.push()) isLast = false;
    else if (isLast && seen === stage.activity) missed(stage);
    else isLast = true; // try again, in case the machine is slow
  }
  if (!stage.isOver && openOf(stage).length > 0) missed(stage);
  stage.isOver = true;
  playing.abort();
}

async function follow(stage: Stage, playing: Run, hands: ReturnType<typeof createHands>): Promise<void> {
  for await (const told of playing.events()) {
    stage.activity++;
    const event = innermost(told);
    if (event.type.endsWith('-request') && 'questionId' in event) hands.answer(event.questionId);
  }
}

function innermost(event: RunEvent): RunEvent {
  return event.type === 'sub-run' ? innermost(event.event) : event;
}

/** Number of idle event loop rounds after which nothing more is expected: longer than the delay before a commit. */
const quietRounds = 32;

/** Waits until only an outside event can continue the run. */
async function untilIdle(stage: Stage, isOver: () => boolean): Promise<void> {
  let seen = -1;
  for (let quiet = 0; quiet < quietRounds && !isOver(); quiet++) {
    await new Promise<void>((resolve) => void setTimeout(resolve, 0));
    if (seen !== stage.activity || stage.busy > 0) quiet = 0;
    seen = stage.activity;
    if (stage.segment.end === undefined && isReplayed(stage)) return;
  }
}

/** Entries that are still missing, except those inside calls of tools that are not executed. */
function openOf(stage: Stage): readonly Expected[] {
  const { expectation, script, prepared, real } = stage;
  const questions = new Map(script.questions.map((each) => [each.id, each]));
  return expectation.open().filter(({ entry }) => {
    if (isHalf(stage, entry) || isUnknown(stage, entry)) return false;
    const outer = insideOf(entry, questions);
    const begun = entry.type === 'call-begun' && prepared.get(entry.callId);
    const isInside = outer !== undefined || (begun && (begun.effects === 'read' || begun.idempotent));
    const ready = prepared.get(outer ?? (entry.type === 'call-begun' ? entry.callId : ''));
    return !isInside || (ready !== undefined && real.has(ready.name));
  });
}

/**
 * A turn under way is stored when something inside its calls may take effect: whether a kill came before that is
 * chance.
 */
function isHalf({ segment, script, asked }: Stage, entry: Expected['entry']): boolean {
  const message = messageIn(entry);
  if (segment.end !== undefined || message?.role !== 'assistant' || message.incomplete === undefined) return false;
  return script.turns.slice(0, asked).some(({ id }) => id === message.id);
}

function isUnknown({ compacts, notes }: Stage, { type }: Expected['entry']): boolean {
  if (type !== 'compacted' || compacts) return false;
  notes.add('What was left out of requests is not compared: give the `contextWindow` of the model.');
  return true;
}

function isReplayed(stage: Stage): boolean {
  const { segment, hanging, notes } = stage;
  const open = openOf(stage);
  if (segment.end === undefined) return open.length === 0;
  const isParkedInside =
    segment.end.type === 'run-parked' && hanging.size > 0 && open.every(({ entry }) => entry === segment.end);
  if (isParkedInside)
    notes.add(
      'A run parked inside a call of a tool: it is replayed up to that call. Name the tool in `real` to run it.',
    );
  return isParkedInside;
}

function missed(stage: Stage): void {
  const [first] = openOf(stage);
  const { end } = stage.segment;
  if (first === undefined)
    return stage.diverge({ message: `The run does not end; it ended as "${end?.status ?? ''}".`, field: 'status' });
  const callId = describe(first.entry).callId;
  stage.diverge({
    message: `${nameOf(first)} is not stored.`,
    entry: first.position,
    ...(callId !== undefined && { callId }),
    expected: first.entry,
  });
}
