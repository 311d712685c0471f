import type { Message } from '@utensil/core';

/** Position of a message among its alternatives. */
export interface BranchPlace {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

/** Positions of all messages of a conversation that have alternatives, in one pass over the thread. */
export function branchPlaces(
  all: readonly Message[],
  conversation: readonly Message[],
): ReadonlyMap<string, BranchPlace> {
  const parents = new Map<string, string | null>();
  const following = new Map<string | null, string[]>();
  let previous: string | null = null;
  for (const { id, parentId = previous } of all) {
    parents.set(id, parentId);
    following.set(parentId, [...(following.get(parentId) ?? []), id]);
    previous = id;
  }
  const places = new Map<string, BranchPlace>();
  for (const { id } of conversation) {
    const beside = following.get(parents.get(id) ?? null) ?? [];
    if (beside.length > 1) places.set(id, { index: beside.indexOf(id), count: beside.length });
  }
  return places;
}
