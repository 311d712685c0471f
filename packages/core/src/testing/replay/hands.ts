import type { Environment } from '../../base/environment.ts';
import type { Seals } from '../../base/seals.ts';
import type { Run } from '../../run/run.ts';
import { notApproved, timeIsOver } from '../../run/loop/calls.ts';
import type { ToolResultPart } from '../../model/message.ts';
import type { QuestionEntry } from '../../thread/entry.ts';
import type { Expected } from './expectation.ts';
import { messageIn } from './segment.ts';
import type { Segment } from './segment.ts';
import { isByUser } from './replay-toolset.ts';
import type { Stage } from './stage.ts';

/**
 * Delays in milliseconds that no other timer of a run has: the time limit of a replay, and the delay before parking.
 */
export const timeLimitMs = 2_000_000_011;
export const parkAfterMs = 2_100_000_033;

/** Timers of a replay, fired when the stored entries call for it. */
export interface Timers {
  readonly environment: Environment;
  /** Fires the timers with this delay, or one that is due by then; false if there is none. */
  fire(isMeant: (ms: number) => boolean): boolean;
  /** Sets the current time. */
  setNow(time: number): void;
}

/** The first id is that of the run. */
export function createTimers({ runId, own }: Segment): Timers {
  const timers = new Set<{ readonly ms: number; fire(): void }>();
  let count = 0;
  let now = timeOf(own) ?? 0;
  return {
    environment: {
      now: () => now,
      id: () => (++count === 1 ? runId : `replayed-${count}`),
      after(ms, then) {
        const timer = { ms, fire: then };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    fire(isMeant) {
      const due = [...timers].filter(({ ms }) => isMeant(ms));
      for (const timer of due) {
        timers.delete(timer);
        timer.fire();
      }
      return due.length > 0;
    },
    setNow: (time) => void (now = Math.max(now, time)),
  };
}

function timeOf(own: Segment['own']): number | undefined {
  for (const { entry } of own) {
    if ('time' in entry) return entry.time;
    const createdAt = messageIn(entry)?.createdAt;
    if (createdAt !== undefined) return createdAt;
  }
  return undefined;
}

/** The app's key is not available: seals in the thread count as valid. */
export const replaySeals: Seals = { make: async () => 'replayed', fits: async () => true };

/** Acts on a run from outside, as people did according to the thread. */
export interface Hands {
  /** Answer to a question that is open now, if this segment has one. */
  answer(questionId: string): void;
  /** Message that a person wrote while this turn was streamed. */
  send(turn: number): void;
  /** Cancels a background call, if a person did so in this segment. */
  cancel(callId: string): void;
  /** Called when the run is idle: performs the stored action that comes next. False if there is none. */
  push(): boolean;
}

/** `run` is called once the run has begun. */
export function createHands(stage: Stage, run: () => Run, timers: Timers): Hands {
  const { script, segment, expectation } = stage;
  const unsent = new Map(script.sent.map((message) => [message, placeOf(stage, message.id)]));

  const unanswered = new Set(script.answers.keys());
  let isOver = false; // it was stopped or aborted
  let streamed = -1;

  /** A run that was stopped ends after its last calls: it must know before they are done. */
  function stopIfDue(): void {
    const isLast = streamed === script.turns.length - 1 && unanswered.size === 0;
    if (isOver || segment.end?.status !== 'stopped' || !isLast) return;
    isOver = true;
    run().stop();
  }

  function give(question: QuestionEntry, questionId: string): boolean {
    const stored = script.answers.get(question.id);
    if (stored === undefined || stored.answer === 'closed') return false;
    try {
      timers.setNow(stored.time);
      run().answer(questionId, stored.answer, stored.by === undefined ? {} : { by: stored.by });
      unanswered.delete(question.id);
      stopIfDue();
      return true;
    } catch {
      return false; // no longer open: the missing entry is then reported
    }
  }

  function sendNow(message: (typeof script.sent)[number], questions: 'keep' | 'dismiss'): void {
    unsent.delete(message);
    const { parentId: _, ...sent } = message;
    run().send(sent, { questions });
  }

  /** True if a person's message left questions of the turn unanswered. */
  function dismissedBy(turn: number): 'asked' | 'unasked' | undefined {
    const calls = turn === -1 ? [...script.results.keys()] : idsOf(stage, turn);
    const dismissed = calls.filter((callId) => says(script.results.get(callId)?.part, notApproved));
    if (dismissed.length === 0) return undefined;
    const isAsked = script.questions.some(({ callId }) => dismissed.includes(callId));
    return isAsked ? 'asked' : 'unasked';
  }

  function pushFor({ entry }: Expected): boolean {
    if (entry.type === 'answer') {
      const question = script.questions.find(({ id }) => id === entry.questionId);
      const id = question && expectation.idOf(question.id);
      return question !== undefined && give(question, id ?? question.id);
    }
    if (entry.type === 'cancelled') return run().cancel(entry.callId, entry.reason);
    const message = messageIn(entry);
    const part = message?.parts.find((each) => each.type === 'tool-result');
    if (part?.type === 'tool-result' && pushResult(part)) return true;
    const [next] = unsent.keys();
    if (next === undefined || (message?.role !== 'user' && !says(part, notApproved))) return false;
    sendNow(next, says(part, notApproved) ? 'dismiss' : 'keep');
    return true;
  }

  function pushResult(part: Extract<ToolResultPart, { type: 'tool-result' }>): boolean {
    const { callId, code } = part;
    if (segment.end === undefined && code === 'tool_interrupted' && says(part, 'was cancelled')) return abort();
    if (code !== 'tool_cancelled') return false;
    if (isByUser(part)) return run().cancel(callId, reasonIn(part));
    const question = script.questions.findLast((each) => each.callId === callId);
    if (says(part, 'nobody answered in time') && question?.expiresAt !== undefined) {
      timers.setNow(question.expiresAt + 1);
      return timers.fire((ms) => ms !== timeLimitMs && ms !== parkAfterMs && ms < timeLimitMs);
    }
    if (says(part, timeIsOver)) return timers.fire((ms) => ms === timeLimitMs);
    if (segment.end === undefined || segment.end.status === 'limit') return timers.fire((ms) => ms === timeLimitMs);
    return false;
  }

  function abort(): boolean {
    if (isOver) return false;
    isOver = true;
    run().abort();
    return true;
  }

  function pushEnd(): boolean {
    switch (segment.end?.type === 'run-parked' ? 'parked' : segment.end?.status) {
      case 'parked':
        return timers.fire((ms) => ms === parkAfterMs);
      case 'aborted':
        return abort();
      case 'stopped':
        streamed = script.turns.length - 1;
        unanswered.clear();
        if (isOver) return false;
        stopIfDue();
        return true;
      case 'limit':
        return timers.fire((ms) => ms === timeLimitMs) || timers.fire((ms) => ms > timeLimitMs && ms < parkAfterMs);
      default:
        return false;
    }
  }

  return {
    answer(questionId) {
      const stored = expectation.storedId(questionId);
      const question = script.questions.find(({ id }) => id === stored);
      if (question !== undefined) give(question, questionId);
    },
    send(turn) {
      streamed = turn;
      stopIfDue();
      for (const [message, place] of [...unsent]) {
        const dismissed = dismissedBy(turn);
        if (place === turn && dismissed !== 'asked') sendNow(message, dismissed === undefined ? 'keep' : 'dismiss');
      }
    },
    cancel(callId) {
      for (const { entry } of segment.own)
        if (entry.type === 'cancelled' && entry.callId === callId) run().cancel(callId, entry.reason);
    },
    push() {
      const open = expectation.open();
      for (const each of open.slice(0, 20)) if (pushFor(each)) return true;
      return pushEnd();
    },
  };
}

/** The turn after which a message was written; -1: before the first one. */
function placeOf({ script, segment }: Stage, id: string): number {
  const position = segment.own.find(({ entry }) => messageIn(entry)?.id === id)?.position ?? Infinity;
  return script.turns.findLastIndex((turn) => turn.position < position);
}

function idsOf({ script }: Stage, turn: number): readonly string[] {
  return (script.turns[turn]?.streamed.parts ?? []).flatMap((part) => (part.type === 'tool-call' ? part.callId : []));
}

function says(part: { readonly type: string } | undefined, text: string): boolean {
  return part !== undefined && 'output' in part && String(part.output).includes(text);
}

/** Reason given by a person, from the call's result. */
function reasonIn({ output }: ToolResultPart): string | undefined {
  return /^The user cancelled this call of "[^"]*"(?: before it began)?: (.*?)\. (?:It was not run|If it ends|It may have|An earlier)/s.exec(
    String(output),
  )?.[1];
}
