import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Texts } from '../texts/texts.ts';
import { shown } from '../value/shown.ts';
import type { Filled, FormField } from './schema-form.ts';

/** State of a form. */
export interface FormState {
  readonly texts: Texts['approval'];
  readonly filled: Filled;
  /** Name of the invalid field. */
  readonly wrong: string | undefined;
  fill(name: string, value: string | boolean): void;
}

/** Fields of a form. */
export function formFields(fields: readonly FormField[], state: FormState): TemplateResult {
  return html`${fields.map((field, index) => fieldView(field, `field-${index}`, state))}`;
}

function fieldView(field: FormField, id: string, state: FormState): TemplateResult {
  const label = field.label === '' ? state.texts.yourAnswer : field.label;
  const control = controlOf(field, id, state);
  const about = html`<div class="muted" id="${id}-about">
    ${field.description === '' ? nothing : shown(field.description)}
  </div>`;
  return field.kind === 'boolean'
    ? html`<div class="field check">${control}<label for=${id}>${shown(label)}</label>${about}</div>`
    : html`<div class="field"><label for=${id}>${shown(label)}</label>${about}${control}</div>`;
}

function controlOf({ name, kind, choices, isNeeded }: FormField, id: string, state: FormState): TemplateResult {
  const { texts, filled, wrong, fill } = state;
  const text = String(filled[name] ?? '');
  const isWrong = wrong === name ? 'true' : 'false';
  const input = (event: Event): void => fill(name, (event.target as HTMLInputElement).value);
  if (kind === 'boolean') {
    return html`<input
      type="checkbox"
      id=${id}
      aria-describedby="${id}-about"
      .checked=${filled[name] === true}
      @change=${(event: Event) => fill(name, (event.target as HTMLInputElement).checked)}
    />`;
  }
  if (kind === 'choice') {
    return html`<select
      id=${id}
      aria-describedby="${id}-about"
      aria-invalid=${isWrong}
      aria-required=${isNeeded}
      @change=${input}
    >
      <option value="">${texts.choose}</option>
      ${choices.map((choice) => html`<option value=${choice} .selected=${choice === text}>${choice}</option>`)}
    </select>`;
  }
  if (kind === 'longtext') {
    return html`<textarea
      id=${id}
      rows="3"
      aria-describedby="${id}-about"
      aria-invalid=${isWrong}
      aria-required=${isNeeded}
      .value=${text}
      @input=${input}
    ></textarea>`;
  }
  return html`<input
    id=${id}
    inputmode=${kind === 'text' ? 'text' : 'decimal'}
    aria-describedby="${id}-about"
    aria-invalid=${isWrong}
    aria-required=${isNeeded}
    .value=${text}
    @input=${input}
  />`;
}
