import { messageOf } from '@utensil/core';
import type { Secrets } from '@utensil/core';
import { css, html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { UtensilElement } from '../base/element.ts';

/** Storage of user secrets, by `{tool}.{option}`. */
export interface SecretStore extends Secrets {
  set(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
}

/** A user secret, which can be written but not read. */
export class UtensilSecret extends UtensilElement {
  static override properties: PropertyDeclarations = {
    secrets: { attribute: false },
    keys: { attribute: false },
    label: { type: String },
    description: { type: String },
    isSet: { state: true },
    typed: { state: true },
    problem: { state: true },
  };

  static override styles: CSSResultGroup = [
    UtensilElement.styles,
    css`
      form {
        display: flex;
        flex-wrap: wrap;
        gap: 0.375rem;
        margin-block: 0.25rem;
      }
      input {
        flex: 1 1 12rem;
        min-inline-size: 0;
        max-inline-size: 24rem;
      }
      p {
        margin: 0;
        font-size: 0.8125rem;
        color: var(--u-muted);
      }
      p.problem {
        color: var(--u-bad);
      }
    `,
  ];

  declare secrets: SecretStore | undefined;
  /** Keys of the secret: the first is current, the others are former ones. */
  declare keys: readonly string[];
  declare label: string;
  declare description: string;
  declare isSet: boolean | undefined;
  declare typed: string;
  declare problem: string;

  constructor() {
    super();
    this.keys = [];
    this.label = '';
    this.description = '';
    this.typed = '';
    this.problem = '';
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('secrets') || String(changed.get('keys') ?? this.keys) !== String(this.keys)) void this.#look();
  }

  override render(): TemplateResult {
    const state =
      this.isSet === undefined ? '' : this.isSet ? this.texts.settings.secretSaved : this.texts.settings.secretMissing;
    return html`<label for="secret">${this.label}</label>
      <p id="about">${this.description}</p>
      <form @submit=${(event: Event) => this.#save(event)}>
        <input
          id="secret"
          type="password"
          autocomplete="off"
          spellcheck="false"
          aria-describedby="about state"
          placeholder=${this.isSet ? '••••••••' : ''}
          ?disabled=${!this.secrets}
          .value=${this.typed}
          @input=${(event: InputEvent) => (this.typed = (event.target as HTMLInputElement).value)}
        />
        <button ?disabled=${this.typed === ''}>${this.texts.settings.save}</button>
        ${
          this.isSet
            ? html`<button
                type="button"
                aria-label="${this.texts.settings.remove}: ${this.label}"
                @click=${() => this.#remove()}
              >
                ${this.texts.settings.remove}
              </button>`
            : nothing
        }
      </form>
      <p id="state" role="status">${this.secrets ? state : this.texts.settings.secretPlace}</p>
      ${this.problem === '' ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}`;
  }

  async #look(): Promise<void> {
    const { secrets, keys } = this;
    if (!secrets) return;
    await this.#attempt(async () => {
      const found = await Promise.all(keys.map((key) => secrets.get(key)));
      this.isSet = found.some((secret) => secret !== undefined && secret !== '');
    });
  }

  async #save(event: Event): Promise<void> {
    event.preventDefault();
    const { typed } = this;
    const [key] = this.keys;
    if (key === undefined || typed === '') return;
    await this.#attempt(async () => {
      await this.secrets?.set(key, typed);
      this.isSet = true;
      if (this.typed !== typed) return; // typed meanwhile
      this.typed = '';
      this.renderRoot.querySelector('input')?.focus(); // the focused button is disabled now
    });
  }

  async #remove(): Promise<void> {
    await this.#attempt(async () => {
      for (const key of this.keys) await this.secrets?.remove(key);
      this.isSet = false;
      await this.updateComplete;
      this.renderRoot.querySelector('input')?.focus(); // the focused button is gone
    });
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      this.problem = '';
      await work();
    } catch (error) {
      this.problem = messageOf(error);
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'utensil-secret': UtensilSecret;
  }
}
