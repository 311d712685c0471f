// A wire on which every answer fails once: the vendor's SDK over HTTP, and a server that breaks each turn before it gives it.
import { createRecords, openThread } from '@utensil/core';
import type { Environment, Model, Run, RunEvent, Thread } from '@utensil/core';
import { type ReplayOptions, replayThread } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import type { Answer, AnswerBlock } from '@utensil/tooling-loopback/answer';
import { expect } from 'vitest';
import { type Vendor, replyAt, serveEach, vendors } from '../continuity/vendors.ts';
import { type Fault, faults } from './faults.ts';

/** A vendor, and how its server fails. */
export interface Case {
  readonly name: string;
  readonly vendor: Vendor;
  readonly fault: Fault;
}

/** All nine wires with all faults. */
export const cases: readonly Case[] = vendors.flatMap((vendor) =>
  faults.map((fault) => ({ name: `${vendor.name}, ${fault.name}`, vendor, fault })),
);

export interface FaultyWire extends AsyncDisposable {
  readonly model: Model;
  /** A wait of a run is over at once. */
  readonly environment: Environment;
  /** In milliseconds. */
  readonly waits: readonly number[];
  /** The bodies of all requests, in order. */
  sent(): readonly string[];
  /** Called while a run waits before it asks again, with the number of the wait, from 1. */
  whileWaiting(action: (wait: number) => unknown): void;
}

/** The answer to a request. `turn`: how many it has given as a whole. */
export type Script = (body: string, turn: number) => Answer;

/** Each answer is asked for twice: it comes as the fault leaves it, then as a whole. */
export async function faultyWire({ vendor, fault }: Omit<Case, 'name'>, script: Script): Promise<FaultyWire> {
  let turn = 0;
  let isBroken = false;
  const sent: string[] = [];
  const server = await serveEach(vendor, ({ body }) => {
    sent.push(body);
    const whole = replyAt(vendor, script(body, turn), turn);
    isBroken = !isBroken;
    if (isBroken) return fault.play(vendor, whole);
    turn++;
    return whole;
  });
  const waits: number[] = [];
  let act: (wait: number) => unknown = () => undefined;
  return {
    model: vendor.make(server.url),
    environment: environmentOf((ms) => act(waits.push(ms))),
    waits,
    sent: () => sent,
    whileWaiting: (action) => void (act = action),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** Answers in turn, and the last one again. */
export const inTurn =
  (...answers: readonly Answer[]): Script =>
  (_body, turn) =>
    answers[Math.min(turn, answers.length - 1)] ?? { blocks: [] };

function environmentOf(noted: (ms: number) => unknown): Environment {
  let ids = 0;
  return {
    now: Date.now,
    id: () => `id${++ids}`,
    after(ms, then) {
      noted(ms);
      const timer = setImmediate(then);
      return () => clearImmediate(timer);
    },
  };
}

/** A text with the place at which it breaks. */
export const says = (...deltas: readonly string[]): AnswerBlock => ({ type: 'text', deltas });

/** A call whose arguments come in two pieces. */
export function calls(name: string, input: object): AnswerBlock {
  const json = JSON.stringify(input);
  const middle = json.length >> 1;
  return { type: 'call', name, deltas: [json.slice(0, middle), json.slice(middle)] };
}

export async function eventsOf({ events }: Run): Promise<readonly RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of events()) seen.push(event);
  return seen;
}

/** Number of occurrences of a text in another. */
export function countOf(text: string, within: string): number {
  return within.split(text).length - 1;
}

/** Each request was repeated byte for byte, after the wait that the server had asked for. */
export function expectRepeated({ sent, waits }: FaultyWire, { fault }: Case, turns: number): void {
  const bodies = sent();
  expect(bodies.length).toBe(2 * turns);
  for (let turn = 0; turn < turns; turn++) expect(bodies[2 * turn + 1]).toBe(bodies[2 * turn]);
  expect(waits.length).toBe(turns);
  if (fault.waitMs !== undefined) expect(new Set(waits)).toEqual(new Set([fault.waitMs]));
}

/** A thread over records, as an app has it. */
export function newThread(): Thread {
  return openThread(createRecords(memoryStorage()), 'faulty');
}

/** Expects that a replay of the stored turns stores the same entries, despite any failures between the turns. */
export async function expectReplays(thread: Thread, options: ReplayOptions): Promise<void> {
  const { divergence, steps } = await replayThread(thread, options);
  expect(divergence).toBeUndefined();
  expect(steps).toBeGreaterThan(0);
}
