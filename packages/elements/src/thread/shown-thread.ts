import type { Message } from '@utensil/core';
import type { Texts } from '../texts/texts.ts';
import { noRun, noticeOf, rowsOf, threadView } from '../view/index.ts';
import type { LiveRun, MessageView, Notice, Rows, ThreadView } from '../view/index.ts';
import { Landed } from './landed.ts';

/** Input of a thread view. */
interface Given {
  /** Undefined if unchanged. */
  readonly messages: readonly Message[] | undefined;
  readonly live: LiveRun;
  /** Replaces the thread's own notice. */
  readonly notice: Notice | undefined;
  readonly texts: Texts;
}

/** Previous state of a view. */
export interface Shown {
  readonly view: ThreadView;
  readonly live: LiveRun;
  readonly rows: Rows;
}

/** View of a thread: stored messages and the current run as rows, with a notice about the ending. */
export class ShownThread {
  #view = threadView([]);
  #live = noRun;
  #rows = rowsOf(this.#view, noRun);
  #notice: Notice | undefined;
  #given: Pick<Given, 'notice' | 'texts'> | undefined;
  readonly #landed = new Landed();
  readonly #keys = new Map<string, string>();

  get live(): LiveRun {
    return this.#live;
  }

  get rows(): Rows {
    return this.#rows;
  }

  get notice(): Notice | undefined {
    return this.#notice;
  }

  /** Key of a row, which it keeps when its message is stored. */
  keyOf({ id, key }: MessageView): string {
    return this.#keys.get(id ?? '') ?? key;
  }

  /** Updates the view. Returns the previous state, unless the rows are the same. */
  take({ messages, live, notice, texts }: Given): (Shown & { readonly now: ThreadView }) | undefined {
    const before = { view: this.#view, live: this.#live, rows: this.#rows };
    if (messages !== undefined) this.#view = threadView(messages, before.view);
    this.#live = this.#landed.onto(this.#view, live);
    const isGivenAnew = this.#given?.notice !== notice || this.#given?.texts !== texts;
    this.#given = { notice, texts };
    if (isGivenAnew || !haveSameEnd(this.#live, before.live)) this.#notice = notice ?? noticeOf(this.#live, texts);
    if (this.#view === before.view && this.#live === before.live) return undefined;
    this.#rows = rowsOf(this.#view, this.#live);
    for (const { id, key } of this.#live.messages) if (id !== undefined && id !== key) this.#keys.set(id, key);
    return { ...before, now: this.#view };
  }
}

function haveSameEnd(a: LiveRun, b: LiveRun): boolean {
  return a.status === b.status && a.error === b.error && a.limit === b.limit && a.damage === b.damage;
}
