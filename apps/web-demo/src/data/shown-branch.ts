import { callsOf } from '@utensil/core';
import { alternativesTo, branchOf, lastMessageOf } from '@utensil/core/thread';
import type { Message } from '@utensil/core';
import { branchPlaces } from './branches.ts';
import type { BranchPlace } from './branches.ts';

/** Id of a branch's last message; null before the first message, undefined for the latest stored message. */
export type Tip = string | null | undefined;

/** Messages of a thread, and the shown branch. */
export interface ShownBranch {
  readonly all: readonly Message[];
  readonly tip: Tip;
  readonly messages: readonly Message[];
  readonly places: ReadonlyMap<string, BranchPlace>;
}

/** The branch that ends with a message. */
export function branchAt(all: readonly Message[], tip: Tip): ShownBranch {
  const messages = tip === null ? [] : branchOf(all, tip);
  return { all, tip, messages, places: branchPlaces(all, messages) };
}

/** The same branch with added messages; the latest branch if its last message is gone. */
export function withStored({ tip }: ShownBranch, all: readonly Message[]): ShownBranch {
  if (typeof tip !== 'string') return branchAt(all, tip);
  return branchAt(all, all.some(({ id }) => id === tip) ? lastMessageOf(all, tip) : undefined);
}

/** The branch of an alternative to a message, by number from 0. Undefined if there is none. */
export function withOther({ all }: ShownBranch, messageId: string, to: number): ShownBranch | undefined {
  const other = alternativesTo(all, messageId)[to];
  return other === undefined ? undefined : branchAt(all, lastMessageOf(all, other));
}

/** Tip of the branch before a message. */
export function tipBefore({ all }: ShownBranch, messageId: string): string | null {
  const path = branchOf(all, lastMessageOf(all, messageId));
  const index = path.findIndex(({ id }) => id === messageId);
  return path[index - 1]?.id ?? null;
}

/** The question that an assistant's message or a result belongs to. */
export function questionOf({ all }: ShownBranch, messageId: string): string | undefined {
  return branchOf(all, messageId).findLast(({ role }) => role === 'user')?.id;
}

/** True if the latest stored message is on the branch. */
export function isNewest({ all, messages }: ShownBranch): boolean {
  return messages.at(-1)?.id === all.at(-1)?.id;
}

/** True if the last message is not a complete answer. */
export function isUnfinished({ messages }: ShownBranch): boolean {
  const last = messages.at(-1);
  if (last === undefined) return false;
  return last.role !== 'assistant' || last.incomplete === true || callsOf(last).length > 0;
}
