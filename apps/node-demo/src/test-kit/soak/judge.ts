// Invariants of threads whose processes were killed: every violation as a sentence.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { filesystemStorage, processHolder } from '@utensil/storage-filesystem';
import {
  callsOf,
  createRecords,
  messageOf,
  messagesOf,
  openThread,
  textOf,
  type Message,
  type ToolResultPart,
} from '@utensil/core';
import { arrangeHistory } from '@utensil/core/provider';
import { readLedger } from './ledger.ts';
import { effectsOf, labelOf, scenesOf } from './scenes.ts';
import { firstMessage, holderOf, type Said } from './worker.ts';
import type { Death, Soaked } from './supervisor.ts';

/** Findings, by kind. */
export interface Complaints {
  readonly double: readonly string[];
  readonly lost: readonly string[];
  readonly stuck: readonly string[];
  readonly left: readonly string[];
}

export async function judgeSoak(soaked: Soaked): Promise<Complaints> {
  const { soak, ids, said, deaths, open, records } = soaked;
  const effects = readLedger(soak.ledger);
  const lost: string[] = [];
  const taken = groupBy(sentIn(said), (messageId) => messageId.replace(/\/.*/, ''));
  for (const id of ids) {
    const warn = (problem: Error): void => void lost.push(`${id} cannot be read: ${problem.message}`);
    try {
      const messages = await messagesOf(openThread(records, id, { warn }));
      lost.push(
        ...ofThread(id, { messages, sent: [...(soaked.sent.get(id) ?? []), ...(taken.get(id) ?? [])], effects }),
      );
    } catch (error) {
      lost.push(`${id} cannot be read: ${messageOf(error)}`);
    }
  }
  return {
    double: [...effects].flatMap(([label, times]) => (times > 1 ? `${label} took effect ${times} times.` : [])),
    lost: [...lost, ...ofFailures(said)],
    stuck: [...open.map((id) => `${id} is not done.`), ...stuckIn(said, deaths, soak.leaseMs)],
    left: await leftIn(soaked),
  };
}

interface ThreadCase {
  readonly messages: readonly Message[];
  readonly sent: readonly string[];
  readonly effects: ReadonlyMap<string, number>;
}

function ofThread(id: string, { messages, sent, effects }: ThreadCase): readonly string[] {
  const made = messages.flatMap(callsOf).map(({ callId }) => callId);
  const results = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));
  const isMissing = (messageId: string): boolean =>
    !messages.some(({ id: own, parts }) => own === messageId || textOf(parts) === messageId);
  const times = (label: string): number => made.filter((callId) => labelOf(callId) === label).length;
  const of = (callId: string): number => results.filter((result) => result.callId === callId).length;
  return [
    ...[firstMessage(id).id, ...sent].filter(isMissing).map((each) => `The message ${each} is gone.`),
    ...scenesOf(id)
      .flat()
      .filter(({ label }) => times(label) !== 1)
      .map(({ label }) => `${label} was made ${times(label)} times.`),
    ...made.filter((callId) => of(callId) !== 1).map((callId) => `${callId} has ${of(callId)} results.`),
    ...results.flatMap((result) => ofResult(id, result, effects)),
    ...(arrangeHistory(messages).length === messages.length ? [] : [`Some message of ${id} is out of place.`]),
  ];
}

/** Every effect that a result claims has happened; scripts claim one for each of their calls. */
function ofResult(id: string, result: ToolResultPart, effects: ReadonlyMap<string, number>): readonly string[] {
  if (result.isError) return [];
  const call = scenesOf(id)
    .flat()
    .find(({ label }) => label === labelOf(result.callId));
  const text = JSON.stringify(result.output ?? '');
  const claimed = call === undefined ? [] : effectsOf(call).filter((label) => !text.includes(`not ${label}`));
  return claimed.filter((label) => !effects.has(label)).map((label) => `${label} is said to be done, and is not.`);
}

const expected: readonly (string | undefined)[] = ['thread_busy', 'thread_taken', 'entry_exists'];

function ofFailures(said: readonly Said[]): readonly string[] {
  return said
    .filter(({ type, status, code }) => type === 'ended' && status !== 'complete' && !expected.includes(code))
    .filter(({ status = '' }) => !status.startsWith('needs-'))
    .map(({ thread, status, code, problem }) => `A run of ${thread} ended as ${status}: ${code}: ${problem}`);
}

/** Messages that runs took and told their end with. A run that has lost its thread stores nothing. */
export function sentIn(said: readonly Said[]): readonly string[] {
  return said.flatMap(({ sent, code }) => (sent === undefined || code !== undefined ? [] : [sent]));
}

/** A time in which some process may have a thread, or be about to. */
interface Span {
  readonly attempt: string;
  readonly from: number;
  readonly to: number;
}

/** Attempts that found a thread busy though nobody who lived could have had it, and the lease of the dead was over. */
export function stuckIn(said: readonly Said[], deaths: readonly Death[], leaseMs: number): readonly string[] {
  const diedAt = new Map(deaths.map(({ pid, time }) => [pid, time]));
  const spans = groupBy(spansOf(said, diedAt), ({ thread }) => thread);
  return said
    .filter(({ type }) => type === 'busy')
    .flatMap(({ thread, attempt, time }) => {
      const own = spans.get(thread)?.find((span) => span.attempt === attempt);
      if (own === undefined) return [];
      const isHeld = spans
        .get(thread)
        ?.some((span) => span.attempt !== attempt && span.from <= time && own.from <= span.to + span.leaseMs(leaseMs));
      return isHeld === true ? [] : [`${thread} was busy, and nobody had it.`];
    });
}

interface ThreadSpan extends Span {
  readonly thread: string;
  /** For how long it may be taken for the owner after its end. */
  leaseMs(leaseMs: number): number;
}

function spansOf(said: readonly Said[], diedAt: ReadonlyMap<number, number>): readonly ThreadSpan[] {
  const ends = new Map(said.flatMap(({ type, attempt, time }) => (type === 'ended' ? [[attempt, time] as const] : [])));
  return said
    .filter(({ type }) => type === 'claiming')
    .map(({ thread, attempt, time, pid }) => {
      const end = ends.get(attempt);
      const isKnown = end !== undefined || holderOf(thread).holder !== undefined; // to be over, or dead
      const leaseMs = (given: number): number => (isKnown ? 0 : given);
      return { thread, attempt, from: time, to: end ?? diedAt.get(pid) ?? Infinity, leaseMs };
    });
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Threads whose last owner was killed, perhaps when they were complete already: the next one takes them over. */
function abandoned({ said, deaths }: Soaked): readonly string[] {
  const dead = new Set(deaths.map(({ pid }) => pid));
  const ended = new Set(said.flatMap(({ type, attempt }) => (type === 'ended' ? attempt : [])));
  const isLeft = ({ type, pid, attempt }: Said): boolean => type === 'claiming' && dead.has(pid) && !ended.has(attempt);
  return said.filter(isLeft).map(({ thread }) => thread);
}

/** Owners in records, and files of commits that were interrupted. */
async function leftIn(soaked: Soaked): Promise<readonly string[]> {
  const { ids, soak } = soaked;
  const records = createRecords(filesystemStorage(soak.root)); // undoes and sweeps with its first commit
  for (const id of new Set(['swept', ...abandoned(soaked)])) {
    const claim = await openThread(records, id, { holder: processHolder() }).claim({ runId: 'judge' });
    await claim.release();
  }
  const left: string[] = [];
  for (const id of ids) {
    const owner = await records.get(['threads', id, 'owner']);
    if (JSON.stringify(owner?.value ?? {}).includes('runId')) left.push(`${id} has an owner.`);
    const thread = openThread(records, id);
    const { draft } = await thread.read();
    if (draft !== undefined) left.push(`${id} has a draft.`);
  }
  const staged = readdirSync(join(soak.root, '.utensil', 'tmp'));
  return [...left, ...staged.map((name) => `${name} was left in the staging folder.`)];
}

/** Claims that went from a process that was killed to another one, and the time that it took since that one tried. */
export function takeoversIn({
  said,
  deaths,
}: Soaked): readonly { readonly thread: string; readonly afterMs: number }[] {
  const diedAt = new Map(deaths.map(({ pid, time }) => [pid, time]));
  const tried = new Map(said.flatMap(({ type, attempt, time }) => (type === 'claiming' ? [[attempt, time]] : [])));
  const ended = new Set(said.flatMap(({ type, attempt }) => (type === 'ended' ? attempt : [])));
  const claims = groupBy(
    said.filter(({ type }) => type === 'claimed'),
    ({ thread }) => thread,
  );
  return [...claims].flatMap(([thread, each]) => {
    const inOrder = each.toSorted((left, right) => (left.fence ?? 0) - (right.fence ?? 0));
    return inOrder.flatMap((claim, index) => {
      const before = inOrder[index - 1];
      if (before === undefined || ended.has(before.attempt)) return [];
      const died = diedAt.get(before.pid);
      return died === undefined
        ? []
        : [{ thread, afterMs: claim.time - Math.max(died, tried.get(claim.attempt) ?? 0) }];
    });
  });
}
