import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { Texts } from '../texts/texts.ts';
import { shown } from '../value/shown.ts';
import type { PathForm } from './actions.ts';

/** A message with actions. */
export interface Said {
  readonly text: string;
  readonly isBad: boolean;
  readonly choices?: readonly { readonly label: string; act(): Promise<string | Said> }[];
}

interface FormHandlers {
  readonly texts: Texts['files'];
  /** Undefined to cancel. */
  change(form: PathForm | undefined): void;
  submit(event: Event): void;
}

/** Renders the form for a path. */
export function pathForm(form: PathForm, { texts, change, submit }: FormHandlers): TemplateResult {
  const input = ({ target }: Event): void => change({ ...form, value: (target as HTMLInputElement).value });
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') change(undefined);
  };
  return html`<form class="form" @submit=${submit} @keydown=${key}>
    <label for="path">${texts.path[form.kind]}</label>
    <input id="path" required autocomplete="off" spellcheck="false" .value=${form.value} @input=${input} />
    <button class="primary">${texts.confirm}</button>
    <button type="button" @click=${() => change(undefined)}>${texts.cancel}</button>
  </form>`;
}

interface SaidHandlers {
  readonly texts: Texts['files'];
  act(work: () => Promise<string | Said>): void;
  dismiss(): void;
}

/** Renders a result or a choice. */
export function message({ text, isBad, choices = [] }: Said, { texts, act, dismiss }: SaidHandlers): TemplateResult {
  const isUrgent = isBad || choices.length > 0;
  return html`<div class=${isBad ? 'said bad' : 'said'} role=${isUrgent ? 'alert' : 'status'}>
    <span>${shown(text)}</span>
    <span class="buttons">
      ${choices.map((choice) => html`<button @click=${() => act(choice.act)}>${choice.label}</button>`)}
      <button class="plain" @click=${dismiss}>${choices.length > 0 ? texts.cancel : texts.dismiss}</button>
    </span>
  </div>`;
}
