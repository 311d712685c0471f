import { noRun } from '../view/index.ts';
import type { LiveRun, ThreadView } from '../view/index.ts';

/** Remembers whether the messages of a run were stored: if they no longer are, another branch is shown. */
export class Landed {
  #landed: string | undefined;
  #hidden: { readonly live: LiveRun; readonly rest: LiveRun } | undefined;

  /** The part of a run that belongs to these messages. */
  onto(view: ThreadView, live: LiveRun): LiveRun {
    const isThere = live.messages.some(({ id }) => id !== undefined && view.places.has(id));
    if (isThere) this.#landed = nameOf(live);
    if (isThere || live.runId === undefined || nameOf(live) !== this.#landed) return live;
    if (this.#hidden?.live !== live) this.#hidden = { live, rest: withoutMessages(live) };
    return this.#hidden.rest;
  }
}

/** A resumed run keeps its id but gets another fence. */
function nameOf({ runId, fence = 0 }: LiveRun): string {
  return `${runId ?? ''}/${fence}`;
}

/** A running state applies to all branches; the ending only to its own. */
function withoutMessages(live: LiveRun): LiveRun {
  return live.status === 'running' ? { ...live, messages: [], earlierCalls: [], questions: [] } : noRun;
}
