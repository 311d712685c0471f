import { LitElement } from 'lit';
import type { CSSResultGroup } from 'lit';
import { ProvidedTexts } from '../texts/provide.ts';
import type { Texts } from '../texts/texts.ts';
import { KeepFocus } from './keep-focus.ts';
import { controls, theme } from './theme.ts';

/** Base of every element: theme, texts, a focus that is not lost, and events that cross shadow roots. */
export class UtensilElement extends LitElement {
  static override styles: CSSResultGroup = [theme, controls];

  readonly #texts = new ProvidedTexts(this);

  constructor() {
    super();
    void new KeepFocus(this);
  }

  /** Texts in use: those that an ancestor provides, and English for the others. */
  get texts(): Texts {
    return this.#texts.all;
  }

  /** Tells the page, which can prevent what would follow. Whether it may follow. */
  protected tell(type: string, detail: unknown): boolean {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

/** Makes the element known to the page. A page that has one of that name keeps it; on a server there is none. */
export function register(name: string, element: CustomElementConstructor): void {
  const known = globalThis.customElements as CustomElementRegistry | undefined;
  if (known && known.get(name) === undefined) known.define(name, element);
}
