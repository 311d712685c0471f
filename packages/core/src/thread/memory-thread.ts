import { createListeners } from '../base/listeners.ts';
import type { Message } from '../model/message.ts';
import { noteIds, planAppend } from './append-plan.ts';
import type { StoredEntry } from './entry.ts';
import type { Claim, ClaimOptions, Thread } from './thread.ts';
import { busy, changed, foreign, released } from './thread-errors.ts';

/**
 * Creates a thread in memory, for conversations that end with their process.
 *
 * @example
 * ```ts
 * import { memoryThread, messagesOf } from '@utensil/core';
 *
 * const thread = memoryThread('draft');
 * const message = { id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }], createdAt: Date.now() } as const;
 * await thread.append([{ type: 'message', message }]);
 * console.log(await messagesOf(thread));
 * ```
 */
export function memoryThread(id: string): Thread {
  const entries: StoredEntry[] = [];
  const ids = new Map<string, boolean>();
  const children = new Map<string, Thread>();
  const { notify, subscribe } = createListeners();
  let draft: Message | undefined;
  let owner: Claim | undefined;
  let fence = 0;

  function claim({ runId }: ClaimOptions): Claim {
    if (owner !== undefined) throw busy([id], owner.runId);
    const lost = new AbortController();
    const isOurs = (): boolean => owner === next;
    const next: Claim = {
      runId,
      fence: ++fence,
      lapsed: 0, // never taken over
      lost: lost.signal,
      async renew() {
        if (!isOurs()) throw released([id]);
      },
      async release() {
        if (isOurs()) owner = undefined;
      },
    };
    return (owner = next);
  }

  return {
    id,
    async read({ after = 0, limit = Infinity } = {}) {
      const rest = entries.slice(after);
      const page = rest.slice(0, limit);
      const more = rest.length > page.length;
      return { entries: page, last: after + page.length, more, ...(draft !== undefined && !more && { draft }) };
    },
    async append(given, { claim: by, ifLast, release = false } = {}) {
      if (by !== undefined && by !== owner) throw foreign([id]);
      if (ifLast !== undefined && ifLast !== entries.length) throw changed([id], ifLast);
      const plan = planAppend([id], given, { last: entries.length, ids, draft });
      for (const entry of plan.added) entries.push({ position: entries.length + 1, entry });
      noteIds(ids, plan.added);
      ({ draft } = plan);
      if (release && by !== undefined) owner = undefined;
      notify();
      return entries.length;
    },
    claim: async (options) => claim(options),
    watch: subscribe,
    child(runId) {
      const child = children.get(runId) ?? memoryThread(runId);
      children.set(runId, child);
      return child;
    },
    children: async () => [...children.keys()],
  };
}
