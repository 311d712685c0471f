import { noRun } from '../view/index.ts';
import type { LiveRun, ThreadView } from '../view/index.ts';

/** Remembers whether a run's messages were among the stored ones: if they are no longer, another branch is shown. */
export class Landed {
  #landed: string | undefined;
  #hidden: { readonly live: LiveRun; readonly rest: LiveRun } | undefined;

  /** The run as far as it belongs to these messages. */
  onto(view: ThreadView, live: LiveRun): LiveRun {
    const isThere = live.messages.some(({ id }) => id !== undefined && view.places.has(id));
    if (isThere) this.#landed = nameOf(live);
    if (isThere || live.runId === undefined || nameOf(live) !== this.#landed) return live;
    if (this.#hidden?.live !== live) this.#hidden = { live, rest: withoutMessages(live) };
    return this.#hidden.rest;
  }
}

/** A run that goes on has the id that it had, and another fence. */
function nameOf({ runId, fence = 0 }: LiveRun): string {
  return `${runId ?? ''}/${fence}`;
}

/** That a run goes on is known in every branch; how it ended, only in its own. */
function withoutMessages(live: LiveRun): LiveRun {
  return live.status === 'running' ? { ...live, messages: [], earlierCalls: [], questions: [] } : noRun;
}
