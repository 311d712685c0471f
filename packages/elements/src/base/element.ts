import { LitElement } from 'lit';
import type { CSSResultGroup } from 'lit';
import { KeepFocus } from './keep-focus.ts';
import { controls, theme } from './theme.ts';

/** What every element has in common: the theme, a focus that is not lost, and events that cross shadow roots. */
export class UtensilElement extends LitElement {
  static override styles: CSSResultGroup = [theme, controls];

  constructor() {
    super();
    void new KeepFocus(this);
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
