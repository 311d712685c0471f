import type { Json } from '@utensil/core';
import { css, html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { register, UtensilElement } from '../base/element.ts';
import { beginningOf, readable } from './beginning.ts';
import { wholeText } from './bounded.ts';
import { saveText } from './save.ts';
import { shownStretches, shownStyles } from './shown.ts';
import { UtensilWhole } from './whole.ts';

/**
 * `<utensil-value>`: text or JSON. Of a long value the page contains only the start; the full view is virtual. It can
 * be copied and downloaded completely.
 */
export class UtensilValue extends UtensilElement {
  static override properties: PropertyDeclarations = {
    value: { attribute: false },
    label: { type: String },
    filename: { type: String },
    quiet: { type: Boolean },
    whole: { state: true },
    said: { state: true },
  };

  static override styles: CSSResultGroup = [
    UtensilElement.styles,
    shownStyles,
    css`
      pre {
        margin: 0;
        padding: 0.5rem 0.75rem;
        border-radius: var(--u-radius);
        background: var(--u-surface);
        font-size: 0.8125rem;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        max-block-size: var(--utensil-value-height, 20rem);
        overflow: auto;
        tab-size: 4;
      }
      bdi {
        display: block;
        unicode-bidi: plaintext; /* each line begins on the side of its own language */
        text-align: start;
      }
      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem;
        align-items: center;
        margin-block-start: 0.25rem;
        font-size: 0.8125rem;
      }
      .actions button {
        min-block-size: 1.75rem;
        padding: 0.125rem 0.5rem;
        color: var(--u-accent);
      }
      .actions span {
        color: var(--u-muted);
      }
    `,
  ];

  /** The value: text verbatim, terminal output without controls, anything else as JSON. */
  declare value: Json | undefined;
  /** Accessible name. Default: “Value”. */
  declare label: string;
  /** File name for downloads. */
  declare filename: string;
  /** Hides copying and downloading if the whole value is visible. */
  declare quiet: boolean;
  /** Whole value as text, once requested. */
  declare whole: string | undefined;
  declare said: string;

  constructor() {
    super();
    this.label = '';
    this.filename = 'output.txt';
    this.quiet = false;
    this.said = '';
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('value') && changed.get('value') !== undefined) this.whole = undefined;
  }

  override render(): TemplateResult {
    const value = this.value ?? null;
    if (this.whole !== undefined) {
      return html`<utensil-whole .text=${this.whole} label=${this.#label}></utensil-whole>
        ${this.#actions(html`<button class="plain" @click=${() => (this.whole = undefined)}>${this.texts.value.less}</button>`)}`;
    }
    const { stretches, isWhole } = beginningOf(value);
    const { texts } = this;
    const all = typeof value === 'string' ? texts.value.allOf(value.length) : texts.value.all;
    return html`<pre tabindex="0" role="group" aria-label=${this.#label}>
${shownStretches(stretches)}${isWhole ? nothing : '…'}</pre>
      ${
        isWhole
          ? this.quiet
            ? nothing
            : this.#actions(nothing)
          : this.#actions(html`<button class="plain all" @click=${() => this.#showAll()}>${all}</button>`)
      }`;
  }

  get #label(): string {
    return this.label || this.texts.value.label;
  }

  #actions(first: TemplateResult | typeof nothing): TemplateResult {
    return html`<div class="actions">
      ${first}
      <button class="plain copy" aria-label="${this.texts.value.copy}: ${this.#label}" @click=${() => this.#copy()}>
        ${this.texts.value.copy}
      </button>
      <button
        class="plain save"
        aria-label="${this.texts.value.save}: ${this.#label}"
        @click=${() => saveText(wholeText(this.value ?? null), this.filename)}
      >
        ${this.texts.value.save}
      </button>
      <span role="status">${this.said}</span>
    </div>`;
  }

  #showAll(): void {
    this.whole = readable(wholeText(this.value ?? null));
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(wholeText(this.value ?? null));
      this.said = this.texts.value.copied;
    } catch {
      this.said = this.texts.value.notCopied;
    }
  }
}

register('utensil-value', UtensilValue);
register('utensil-whole', UtensilWhole);

declare global {
  interface HTMLElementTagNameMap {
    'utensil-value': UtensilValue;
  }
}
