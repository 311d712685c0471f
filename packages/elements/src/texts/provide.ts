import type { LitElement, ReactiveController } from 'lit';
import * as english from './english.ts';
import { completed } from './texts.ts';
import type { SomeTexts, Texts } from './texts.ts';

const requested = 'utensil-texts-request';
const changed = 'utensil-texts-change';

/** Event by which an element requests texts; the nearest ancestor that provides them answers. */
interface TextsRequest {
  texts: Texts;
}

/**
 * Provides texts to all elements below `root`, including future ones, until the returned function is called. The
 * nearest ancestor wins; on one root, the last call does.
 *
 * @example
 * ```ts no-run
 * import { provideTexts } from '@utensil/elements/texts';
 *
 * provideTexts(document, { thread: { regenerate: 'Try again' } });
 * ```
 */
export function provideTexts(root: Node, texts: SomeTexts): () => void {
  const all = completed(texts);
  const answer = (event: Event): void => {
    event.stopPropagation(); // only from ancestors: another provider on this root runs later and overrides this one
    (event as CustomEvent<TextsRequest>).detail.texts = all;
  };
  const tell = (): void => void (root.ownerDocument ?? root).dispatchEvent(new Event(changed));
  root.addEventListener(requested, answer);
  tell();
  return () => {
    root.removeEventListener(requested, answer);
    tell();
  };
}

/** Texts of the nearest provider, else English; updates the element when they change. */
export class ProvidedTexts implements ReactiveController {
  readonly #host: LitElement;
  #texts: Texts = english;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  get all(): Texts {
    return this.#texts;
  }

  hostConnected(): void {
    this.#host.ownerDocument.addEventListener(changed, this.#ask);
    this.#ask();
  }

  hostDisconnected(): void {
    this.#host.ownerDocument.removeEventListener(changed, this.#ask);
  }

  readonly #ask = (): void => {
    const detail: TextsRequest = { texts: english };
    this.#host.dispatchEvent(new CustomEvent(requested, { detail, bubbles: true, composed: true }));
    if (detail.texts === this.#texts) return;
    this.#texts = detail.texts;
    this.#host.requestUpdate();
  };
}
