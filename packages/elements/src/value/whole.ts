import { css, html } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { UtensilElement } from '../base/element.ts';
import { rowOf, rowsAt, rowStarts } from './rows.ts';
import { shown, shownStyles } from './shown.ts';

const rowHeight = 20;
const viewRows = 24;
/** Browsers limit the height of elements: for a longer text, the scrollbar is compressed. */
const mostHeight = 8_000_000;
const columns = 120;

/** Virtual view of a long text, with its own search, because the browser's search sees only rendered rows. */
export class UtensilWhole extends UtensilElement {
  static override properties: PropertyDeclarations = {
    text: { attribute: false },
    label: { type: String },
    first: { state: true },
    said: { state: true },
  };

  static override styles: CSSResultGroup = [
    UtensilElement.styles,
    shownStyles,
    css`
      .scroll {
        overflow: auto;
        block-size: ${viewRows * rowHeight}px;
        max-block-size: 70vh;
        border-radius: var(--u-radius);
        background: var(--u-surface);
        contain: strict;
      }
      .rows {
        position: sticky;
        inset-block-start: 0;
        inline-size: max-content;
        min-inline-size: 100%;
        block-size: 0;
        overflow: visible;
        direction: ltr;
      }
      .rows div {
        block-size: ${rowHeight}px;
        padding-inline: 0.75rem;
        font-family: var(--u-mono);
        font-size: 0.8125rem;
        line-height: ${rowHeight}px;
        white-space: pre;
      }
      .rows .hit {
        background: var(--u-added);
      }
      form {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        margin-block-end: 0.25rem;
        font-size: 0.8125rem;
      }
      form input {
        flex: 0 1 14rem;
        min-inline-size: 0;
      }
      form span {
        color: var(--u-muted);
      }
    `,
  ];

  /** The whole text. */
  declare text: string;
  /** Accessible name. */
  declare label: string;
  declare first: number;
  declare said: string;
  #starts = new Uint32Array();
  #hit = -1;
  #place = -1;

  constructor() {
    super();
    this.text = '';
    this.label = '';
    this.first = 0;
    this.said = '';
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (!changed.has('text')) return;
    this.#starts = new Uint32Array(rowStarts(this.text, columns));
    this.#hit = -1;
    this.#place = -1;
  }

  override render(): TemplateResult {
    const rows = rowsAt(this.text, this.#starts, [this.first, viewRows + 1]);
    return html`<form @submit=${(event: Event) => this.#find(event)}>
        <input type="search" name="words" aria-label="${this.texts.value.find}: ${this.label}" />
        <button>${this.texts.value.find}</button>
        <span role="status">${this.said}</span>
      </form>
      <div
        class="scroll"
        tabindex="0"
        role="group"
        aria-label=${this.label}
        @scroll=${(event: Event) => this.#scrolled(event.currentTarget as Element)}
      >
        <div class="rows">
          ${rows.map((row, index) => html`<div class=${this.first + index === this.#hit ? 'hit' : ''}>${shown(row)}</div>`)}
        </div>
        <div .style=${`block-size:${this.#height}px`}></div>
      </div>`;
  }

  get #height(): number {
    return Math.min(mostHeight, this.#starts.length * rowHeight);
  }

  /** Scroll distance per row, chosen so that the end of the scrollbar is the end of the text. */
  #perRow({ clientHeight }: Element): number {
    const scrolled = this.#starts.length - clientHeight / rowHeight;
    return scrolled <= 0 ? rowHeight : (this.#height - clientHeight) / scrolled;
  }

  #scrolled(scroll: Element): void {
    const last = this.#starts.length - Math.floor(scroll.clientHeight / rowHeight);
    this.first = Math.max(0, Math.min(Math.floor(scroll.scrollTop / this.#perRow(scroll)), last));
  }

  #find(event: Event): void {
    event.preventDefault();
    const words = this.renderRoot.querySelector('input')?.value ?? '';
    if (words === '') return;
    const next = this.text.indexOf(words, this.#place + 1);
    this.#place = next === -1 ? this.text.indexOf(words) : next;
    if (this.#place === -1) {
      this.said = this.texts.value.notFound;
      return;
    }
    this.#hit = rowOf(this.#starts, this.#place);
    this.said = this.texts.value.found(this.#hit + 1, this.#starts.length);
    const scroll = this.renderRoot.querySelector('.scroll');
    scroll?.scrollTo({ top: Math.max(0, this.#hit - 3) * this.#perRow(scroll) });
    this.requestUpdate();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'utensil-whole': UtensilWhole;
  }
}
