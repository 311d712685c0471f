// The moments at which a run can be killed: before and after each effect of its loop, and each commit of its storage.
import type { EffectHandler } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';

/** Told of every boundary that is reached, by name. */
export type Reached = (boundary: string) => void;

/** Names of boundaries, numbered where one comes again. */
export function createBoundaries(reached: Reached): Reached {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    reached(count === 1 ? name : `${name} (${count})`);
  };
}

/** The handler of a run, with a boundary on either side of everything that it does: also of what it will do one day. */
export function watchEffects(handler: EffectHandler, at: Reached): EffectHandler {
  const watched = Object.entries(handler).map(([name, method]) => [name, watch(name, method as Method, at)]);
  return { ...handler, ...(Object.fromEntries(watched) as Partial<EffectHandler>) };
}

type Method = (...given: readonly unknown[]) => unknown;

function watch(name: string, method: Method, at: Reached): Method {
  return (...given) => {
    const what = `${name} ${subjectOf(given[0])}`.trim();
    at(`before ${what}`);
    const done = method(...given);
    const after = (): void => at(`after ${what}`);
    if (done instanceof Promise) return done.then((result: unknown) => (after(), result));
    after();
    return done;
  };
}

interface Subject {
  readonly call?: { readonly callId: string };
  readonly message?: { readonly role: string; readonly parts: readonly { readonly callId?: string }[] };
}

/** What an effect is about, in words that are the same in every process. */
function subjectOf(effect: unknown): string {
  const { call, message } = (effect ?? {}) as Subject;
  if (call !== undefined) return labelOf(call.callId);
  if (message?.role === 'tool') return message.parts.map(({ callId = '' }) => labelOf(callId)).join();
  return message?.role ?? '';
}

/** The label of a call, from its id. */
export function labelOf(callId: string): string {
  return callId.replace(/_\d+/, '');
}

/** A storage with a boundary on either side of each commit. */
export function watchCommits(storage: StorageDriver, at: Reached): StorageDriver {
  return {
    ...storage,
    async commit(commit) {
      const what = `commit ${commit.changes.map(({ path }) => path.replace(/\/\d+\.json$/, '')).at(-1) ?? ''}`;
      at(`before ${what}`);
      const result = await storage.commit(commit);
      at(`after ${what}`);
      return result;
    },
  };
}
