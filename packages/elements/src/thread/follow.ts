import type { Run } from '@utensil/core';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { foldRun, noRun } from '../view/index.ts';
import type { LiveRun } from '../view/index.ts';

/** Folds the events of a run, and updates its element at most once per frame. */
export class Follow implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #run: Run | undefined;
  #live: LiveRun = noRun;
  #isDue = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  get live(): LiveRun {
    return this.#live;
  }

  /** Starts to follow a run. */
  of(run: Run | undefined): void {
    if (run === this.#run) return;
    this.#run = run;
    this.#live = noRun;
    if (run !== undefined) void this.#read(run);
  }

  hostConnected(): void {
    if (this.#run !== undefined) this.#host.requestUpdate();
  }

  async #read(run: Run): Promise<void> {
    for await (const event of run.events()) {
      if (this.#run !== run) return;
      this.#live = foldRun(this.#live, event);
      this.#renderSoon();
    }
  }

  #renderSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#host.requestUpdate();
    });
  }
}
