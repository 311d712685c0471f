import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** An observable source: a registry, settings, files … */
export interface Observable {
  subscribe(listener: () => void): () => void;
}

/** Updates its element whenever a source changes, while the element is connected. */
export class Watch implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #sources: () => readonly (Observable | undefined)[];
  #watched = new Map<Observable, () => void>();

  constructor(host: ReactiveControllerHost, sources: () => readonly (Observable | undefined)[]) {
    this.#host = host;
    this.#sources = sources;
    host.addController(this);
  }

  hostConnected(): void {
    this.#follow();
  }

  hostUpdate(): void {
    this.#follow();
  }

  hostDisconnected(): void {
    for (const stop of this.#watched.values()) stop();
    this.#watched.clear();
  }

  #follow(): void {
    const wanted = new Set(this.#sources().filter((source) => source !== undefined));
    for (const [source, stop] of this.#watched) {
      if (wanted.has(source)) continue;
      stop();
      this.#watched.delete(source);
    }
    for (const source of wanted) {
      if (!this.#watched.has(source))
        this.#watched.set(
          source,
          source.subscribe(() => this.#host.requestUpdate()),
        );
    }
  }
}
