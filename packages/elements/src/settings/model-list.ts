import { css, html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { UtensilElement } from '../base/element.ts';
import { icon, iconStyles } from '../value/icons.ts';
import type { ModelSource } from './view.ts';

type Models = ReturnType<ModelSource['list']>;

/** An ordered list of models chosen by the user. Fires `change` with the ids as its detail. */
export class UtensilModelList extends UtensilElement {
  static override properties: PropertyDeclarations = {
    value: { attribute: false },
    models: { attribute: false },
    label: { type: String },
    said: { state: true },
  };

  static override styles: CSSResultGroup = [
    UtensilElement.styles,
    iconStyles,
    css`
      ol {
        margin: 0 0 0.375rem;
        padding: 0;
        list-style: none;
        max-inline-size: 28rem;
      }
      li {
        display: flex;
        align-items: center;
        gap: 0.25rem;
        padding-inline-start: 0.625rem;
        border: 1px solid var(--u-border);
        background: var(--u-background);
      }
      li + li {
        border-block-start: 0;
      }
      li:first-child {
        border-start-start-radius: var(--u-radius);
        border-start-end-radius: var(--u-radius);
      }
      li:last-child {
        border-end-start-radius: var(--u-radius);
        border-end-end-radius: var(--u-radius);
      }
      li span {
        flex: 1;
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }
      li button[aria-disabled='true'] {
        opacity: 0.4;
        cursor: default;
      }
      li button {
        padding: 0.25rem 0.5rem;
      }
      p {
        margin: 0 0 0.375rem;
        color: var(--u-muted);
      }
      .add {
        max-inline-size: 100%;
      }
    `,
  ];

  declare value: readonly string[];
  declare models: Models;
  declare label: string;
  declare said: string;

  constructor() {
    super();
    this.value = [];
    this.models = [];
    this.label = '';
    this.said = '';
  }

  override render(): TemplateResult {
    const others = this.models.filter(({ id }) => !this.value.includes(id));
    return html`${
        this.value.length === 0
          ? html`<p>${this.texts.settings.noModels}</p>`
          : html`<ol aria-label=${this.label}>
              ${this.value.map((id, index) => this.#item(id, index))}
            </ol>`
      }
      ${this.models.length === 0 ? this.#anyModel() : this.#choice(others)}
      <span class="hidden-text" role="status">${this.said}</span>`;
  }

  #item(id: string, index: number): TemplateResult {
    const name = this.#nameOf(id);
    const button = (what: 'up' | 'down' | 'remove', isOff: boolean): TemplateResult =>
      html`<button
        class="plain ${what}"
        aria-label="${this.texts.settings[what]}: ${name}"
        aria-disabled=${isOff}
        @click=${() => isOff || this.#move(index, what)}
      >
        ${icon(what === 'remove' ? 'cross' : what)}
      </button>`;
    return html`<li>
      <span>${name}</span>
      ${button('up', index === 0)} ${button('down', index === this.value.length - 1)} ${button('remove', false)}
    </li>`;
  }

  #choice(others: Models): TemplateResult | typeof nothing {
    if (others.length === 0) return nothing;
    return html`<select
      class="add"
      aria-label="${this.texts.settings.addModel}: ${this.label}"
      @change=${(event: Event) => this.#add(event.target as HTMLSelectElement)}
    >
      <option value="">${this.texts.settings.addModel} …</option>
      ${others.map(({ id }) => html`<option value=${id}>${this.#nameOf(id)}</option>`)}
    </select>`;
  }

  /** Without a list of models, ids are typed. */
  #anyModel(): TemplateResult {
    const add = (event: Event): void => {
      event.preventDefault();
      const field = this.renderRoot.querySelector<HTMLInputElement>('input');
      if (field && !this.value.includes(field.value.trim())) this.#add(field);
    };
    return html`<form @submit=${add}>
      <input aria-label="${this.texts.settings.addModel}: ${this.label}" /> <button>${this.texts.settings.add}</button>
    </form>`;
  }

  #add(field: HTMLInputElement | HTMLSelectElement): void {
    const id = field.value.trim();
    field.value = '';
    if (id !== '') this.#change([...this.value, id]);
  }

  async #move(index: number, what: 'up' | 'down' | 'remove'): Promise<void> {
    const ids = [...this.value];
    const [id = ''] = ids.splice(index, 1);
    const place = what === 'up' ? index - 1 : index + 1;
    if (what !== 'remove') ids.splice(place, 0, id);
    this.said = what === 'remove' ? '' : this.texts.settings.moved(this.#nameOf(id), place + 1, ids.length);
    this.#change(ids);
    await this.updateComplete;
    const rows = this.renderRoot.querySelectorAll('li');
    const row = what === 'remove' ? rows[Math.min(index, rows.length - 1)] : rows[place];
    const next =
      row?.querySelector<HTMLElement>(`.${what}`) ?? this.renderRoot.querySelector<HTMLElement>('.add, input');
    next?.focus(); // the focus stays with the moved model
  }

  #change(ids: readonly string[]): void {
    this.value = ids;
    this.dispatchEvent(new CustomEvent('change', { detail: ids }));
  }

  #nameOf(id: string): string {
    const model = this.models.find((model) => model.id === id);
    if (model !== undefined) return model.label ?? id;
    return this.models.length === 0 ? id : this.texts.settings.notOffered(id);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'utensil-model-list': UtensilModelList;
  }
}
