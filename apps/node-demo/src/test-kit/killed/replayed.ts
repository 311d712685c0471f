// Replays what is left of a killed run, with tools and people that cannot do anything.
import { replayThread } from '@utensil/core/testing';
import { policy, scriptedToolset, type Stage } from './script.ts';

/** A stage on which nothing may happen. */
const closed: Stage = {
  attempt: 0,
  effect(label) {
    throw new Error(`${label} was done in a replay.`);
  },
  happened: () => Promise.resolve(),
  draftIsDue: () => undefined,
  renew: () => Promise.resolve(),
  endTime: () => undefined,
};

/** Divergences of a replay from the thread, in words; empty if there are none. */
export async function divergencesIn(report: string): Promise<readonly string[]> {
  const toolset = scriptedToolset(closed, () => undefined);
  const { divergence } = await replayThread(report, { toolset, policy, limits: { steps: 2 }, onLimit: () => true });
  return divergence === undefined ? [] : [divergence.message];
}
