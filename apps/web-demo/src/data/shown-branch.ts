import { callsOf } from '@utensil/core';
import { alternativesTo, branchOf, lastMessageOf } from '@utensil/core/thread';
import type { Message } from '@utensil/core';
import { branchPlaces } from './branches.ts';
import type { BranchPlace } from './branches.ts';

/** The id of the last message of a branch; null before the first message, undefined for the message that was stored last. */
export type Tip = string | null | undefined;

/** The messages of a thread, and the branch of them that a screen shows. */
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

/** The same branch, with the messages that were added to it; the newest one if its last message is gone. */
export function withStored({ tip }: ShownBranch, all: readonly Message[]): ShownBranch {
  if (typeof tip !== 'string') return branchAt(all, tip);
  return branchAt(all, all.some(({ id }) => id === tip) ? lastMessageOf(all, tip) : undefined);
}

/** The branch of another message in place of this one, by its number from 0. Undefined if there is none. */
export function withOther({ all }: ShownBranch, messageId: string, to: number): ShownBranch | undefined {
  const other = alternativesTo(all, messageId)[to];
  return other === undefined ? undefined : branchAt(all, lastMessageOf(all, other));
}

/** The tip of the branch that ends before a message. */
export function tipBefore({ all }: ShownBranch, messageId: string): string | null {
  const path = branchOf(all, lastMessageOf(all, messageId));
  const index = path.findIndex(({ id }) => id === messageId);
  return path[index - 1]?.id ?? null;
}

/** The question that a message of the assistant, or a result, belongs to. */
export function questionOf({ all }: ShownBranch, messageId: string): string | undefined {
  return branchOf(all, messageId).findLast(({ role }) => role === 'user')?.id;
}

/** Whether the message that was stored last is on the branch. */
export function isNewest({ all, messages }: ShownBranch): boolean {
  return messages.at(-1)?.id === all.at(-1)?.id;
}

/** Whether the last message is not a complete answer. */
export function isUnfinished({ messages }: ShownBranch): boolean {
  const last = messages.at(-1);
  if (last === undefined) return false;
  return last.role !== 'assistant' || last.incomplete === true || callsOf(last).length > 0;
}
