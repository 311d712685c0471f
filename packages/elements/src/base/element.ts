import { LitElement } from 'lit';
import type { CSSResultGroup } from 'lit';
import { ProvidedTexts } from '../texts/provide.ts';
import type { Texts } from '../texts/texts.ts';
import { KeepFocus } from './keep-focus.ts';
import { controls, theme } from './theme.ts';

/** Base class of all elements: theme, texts, focus preservation, and composed events. */
export class UtensilElement extends LitElement {
  static override styles: CSSResultGroup = [theme, controls];

  readonly #texts = new ProvidedTexts(this);

  constructor() {
    super();
    void new KeepFocus(this);
  }

  /** Current texts: those of an ancestor, completed with English ones. */
  get texts(): Texts {
    return this.#texts.all;
  }

  /** Dispatches a cancelable event. Returns false if the page prevented it. */
  protected tell(type: string, detail: unknown): boolean {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

/** Defines a custom element, unless the name is taken or there is no registry, as on a server. */
export function register(name: string, element: CustomElementConstructor): void {
  const known = globalThis.customElements as CustomElementRegistry | undefined;
  if (known && known.get(name) === undefined) known.define(name, element);
}
