import { memoryState } from '@utensil/storage-memory';
import type { Scheduler } from 'fast-check';
import type { RecordStore } from '../../records/records.ts';
import type { Thread } from '../../thread/thread.ts';
import type { Action } from './actions.ts';
import type { ProgramLife } from './program-life.ts';

/** Members of a broken thread that replace those of a good one. */
export type Defect = (good: Thread, records: RecordStore) => Partial<Thread>;

/** Actions and conditions of a race between two programs. */
export interface Race {
  /** Actions of each program, in order. */
  readonly plans: readonly [readonly Action[], readonly Action[]];
  /** True if a run has already asked the user; otherwise the thread has only the user's message. */
  readonly isAsked: boolean;
  /** True if their clocks are a day apart, so that every lease looks stale. */
  readonly clocksDiffer: boolean;
  /** True if one program knows that the other has died. */
  readonly knowsDeath: boolean;
  /** Number of renewals of a claim before the timers of a program stall. */
  readonly renewals: number;
  /** Damage by a foreign program, in order. Default: none. */
  readonly damages?: readonly Damage[];
}

/** One act of a program that damages a thread. */
export interface Damage {
  readonly record: 'owner' | 'lease' | 'summary' | 'draft' | 'questions';
  /** Half of it, nothing, an empty object, or, of an owner or a lease, its value under an earlier claim. */
  readonly leaves: 'half' | 'none' | 'empty' | 'earlier';
}

/** History of a race, as an observer sees it. */
export interface Scene {
  readonly race: Race;
  readonly scheduler: Scheduler;
  readonly defect: Defect;
  readonly state: ReturnType<typeof memoryState>;
  /** Labels of effects that have taken place. */
  readonly effects: string[];
  /** Texts of messages of which a program was told that they are stored. */
  readonly acknowledged: string[];
  /** Fences of the appends that were stored under a claim, by position. */
  readonly fences: Map<number, number>;
  readonly dead: Set<string>;
  /** Programs of the race that are not over. */
  readonly living: Set<ProgramLife>;
  readonly complaints: string[];
  /** Fence of the last claim that was granted. */
  latestFence: number;
  /** Number of answers that were taken. */
  answers: number;
  /** Number of programs that have had a model answer. */
  attempts: number;
  wasDeleted: boolean;
  /** True if the race is over. */
  isOver: boolean;
}

export function createScene(given: Pick<Scene, 'race' | 'scheduler' | 'defect'>): Scene {
  return {
    ...given,
    state: memoryState(),
    effects: [],
    acknowledged: ['Go.'],
    fences: new Map(),
    dead: new Set(),
    living: new Set(),
    complaints: [],
    latestFence: 0,
    answers: 0,
    attempts: 0,
    wasDeleted: false,
    isOver: false,
  };
}

/** A thread of which an onlooker notes who was granted what. */
export function notedThread(scene: Scene, thread: Thread): Thread {
  return {
    ...thread,
    async claim(options) {
      const claim = await thread.claim(options);
      scene.latestFence = Math.max(scene.latestFence, claim.fence);
      return claim;
    },
    async append(entries, options) {
      const { claim } = options ?? {};
      const wasLost = claim !== undefined && claim.fence < scene.latestFence;
      const position = await thread.append(entries, options);
      if (claim === undefined || scene.wasDeleted) return position;
      scene.fences.set(position, Math.max(claim.fence, scene.fences.get(position) ?? 0));
      if (wasLost) scene.complaints.push('stored under a claim that was lost');
      return position;
    },
  };
}
