import { noRun } from '../view/index.ts';
import type { LiveRun, ThreadView } from '../view/index.ts';

/** Remembers whether a run's messages were among the stored ones: if they are no longer, another branch is shown. */
export class Landed {
  #runId: string | undefined;
  #hidden: { readonly live: LiveRun; readonly rest: LiveRun } | undefined;

  /** The run as far as it belongs to these messages. */
  onto(view: ThreadView, live: LiveRun): LiveRun {
    const isThere = live.messages.some(({ id }) => id !== undefined && view.places.has(id));
    if (isThere) this.#runId = live.runId;
    if (isThere || live.runId === undefined || live.runId !== this.#runId) return live;
    if (this.#hidden?.live !== live) this.#hidden = { live, rest: withoutMessages(live) };
    return this.#hidden.rest;
  }
}

/** That a run goes on is known in every branch; how it ended, only in its own. */
function withoutMessages(live: LiveRun): LiveRun {
  return live.status === 'running' ? { ...live, messages: [], earlierCalls: [], questions: [] } : noRun;
}
