import type { LitElement, ReactiveController } from 'lit';
import * as english from './english.ts';
import { completed } from './texts.ts';
import type { SomeTexts, Texts } from './texts.ts';

const requested = 'utensil-texts-request';
const changed = 'utensil-texts-change';

/** An element asks its ancestors; the nearest one that provides texts answers. */
interface TextsRequest {
  texts: Texts;
}

/**
 * Gives all elements below `root` these texts, now and later, until the function that it returns is called. The nearest
 * ancestor decides; on one root, the last call.
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
    event.stopPropagation(); // to ancestors of the root: others at the same root answer later, and so instead
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

/** Texts that an ancestor of an element provides, else English; its element renders again if they change. */
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
