import { optionProblem, withOption } from '@utensil/core/settings';
import type { Json, NumberOption, OptionDefinition, OptionValue, SelectOption, TextOption, Tool } from '@utensil/core';
import { html, noChange, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Texts } from '../texts/texts.ts';
import { shown } from '../value/shown.ts';
import { withoutOption } from './changes.ts';
import type { SettingsView } from './view.ts';

/** An option of a tool with its current value. */
export interface OptionField<Definition extends OptionDefinition = OptionDefinition> {
  readonly tool: Tool;
  readonly id: string;
  readonly definition: Definition;
  readonly value: OptionValue | undefined;
  /** True if the user has changed the default. */
  readonly isChosen: boolean;
  /** DOM id of the control. */
  readonly domId: string;
  readonly view: SettingsView;
}

/** Control for an option, generated from its definition. */
export function optionField(field: OptionField): TemplateResult {
  const { definition } = field;
  switch (definition.kind) {
    case 'boolean':
      return booleanField(field);
    case 'number':
      return labelled(field, numberInput(field as OptionField<NumberOption>));
    case 'text':
    case 'longtext':
      return labelled(field, textInput(field as OptionField<TextOption>));
    case 'select':
      return definition.choices.length <= 4
        ? radios(field as OptionField<SelectOption>)
        : labelled(field, choiceOf(field, definition.choices));
    case 'model':
      return labelled(field, modelInput(field));
    case 'modellist':
      return inGroup(field, modelList(field));
    case 'secret':
      return secretField(field);
  }
}

function store(field: OptionField, value: Json): void {
  const { tool, id, domId, view } = field;
  view.drafts.delete(domId);
  view.change((settings) => withOption(settings, tool, [id, value]));
}

function labelled(field: OptionField, control: TemplateResult): TemplateResult {
  return html`<div class="option">
    <div class="head"><label for=${field.domId}>${shown(field.definition.label)}</label>${resetButton(field)}</div>
    ${about(field)} ${control}
  </div>`;
}

function inGroup(field: OptionField, controls: TemplateResult): TemplateResult {
  const { domId, definition, view } = field;
  return html`<fieldset class="option" aria-describedby="${domId}-about" ?disabled=${view.isBusy}>
    <legend>${shown(definition.label)}</legend>
    ${about(field)} ${controls}${resetButton(field)}
  </fieldset>`;
}

function about({ domId, definition }: OptionField): TemplateResult {
  return html`<div class="about" id="${domId}-about">
    ${definition.description === undefined ? nothing : shown(definition.description)}
  </div>`;
}

function resetButton({ tool, id, definition, isChosen, domId, view }: OptionField): TemplateResult | typeof nothing {
  if (!isChosen) return nothing;
  const reset = (): void => {
    view.drafts.delete(domId);
    view.change((settings) => withoutOption(settings, tool, id));
  };
  return html`<button class="plain reset" aria-label=${view.texts.resetOf(definition.label)} @click=${reset}>
    ${view.texts.reset}
  </button>`;
}

function booleanField(field: OptionField): TemplateResult {
  const { domId, definition, value, view } = field;
  return html`<div class="option boolean">
    <input
      type="checkbox"
      id=${domId}
      aria-describedby="${domId}-about"
      .checked=${live(value === true)}
      ?disabled=${view.isBusy}
      @change=${(event: Event) => store(field, (event.target as HTMLInputElement).checked)}
    />
    <div><label for=${domId}>${shown(definition.label)}</label>${resetButton(field)}${about(field)}</div>
  </div>`;
}

function numberInput(field: OptionField<NumberOption>): TemplateResult {
  const { domId, definition, value, view } = field;
  const { min, max, step } = definition;
  const draft = view.drafts.get(domId);
  const problem = draft === undefined ? undefined : numberProblem(definition, numberIn(draft), view.texts);
  // The typed text stays until the field loses focus: "0." is on its way to 0.05.
  const typed = (event: Event): void => {
    const { value, validity } = event.target as HTMLInputElement;
    const text = validity.badInput ? 'no number' : value;
    if (optionProblem(definition, numberIn(text)) === undefined) store(field, Number(text));
    view.drafts.set(domId, text);
    view.redraw();
  };
  const left = (): void => {
    if (problem !== undefined) return;
    view.drafts.delete(domId);
    view.redraw();
  };
  return html`<input
      type="number"
      id=${domId}
      min=${min ?? nothing}
      max=${max ?? nothing}
      step=${step ?? 'any'}
      aria-describedby="${domId}-about ${domId}-problem"
      aria-invalid=${problem === undefined ? 'false' : 'true'}
      ?disabled=${view.isBusy}
      .value=${draft === undefined ? live(String(value)) : noChange}
      @input=${typed}
      @change=${left}
    />
    <div class="problem" id="${domId}-problem" aria-live="polite">
      ${problem === undefined ? nothing : `${problem} ${view.texts.unchanged(String(value))}`}
    </div>`;
}

/** Reason that a number is invalid, by `optionProblem` of core. */
function numberProblem(definition: NumberOption, value: number, texts: Texts['settings']): string | undefined {
  if (optionProblem(definition, value) === undefined) return undefined;
  const { label, min = -Infinity, max = Infinity } = definition;
  if (!Number.isFinite(value)) return texts.notNumber(label);
  if (value >= min && value <= max) return texts.notWhole(label);
  if (min === -Infinity) return texts.tooLarge(label, max);
  return max === Infinity ? texts.tooSmall(label, min) : texts.outside(label, min, max);
}

function numberIn(text: string): number {
  return text.trim() === '' ? NaN : Number(text);
}

function textInput(field: OptionField<TextOption>): TemplateResult {
  const { domId, definition, value, view } = field;
  const typed = (event: Event): void => store(field, (event.target as HTMLInputElement).value);
  if (definition.kind === 'longtext') {
    return html`<textarea
      id=${domId}
      rows="4"
      aria-describedby="${domId}-about"
      placeholder=${definition.placeholder ?? ''}
      ?disabled=${view.isBusy}
      .value=${live(String(value))}
      @input=${typed}
    ></textarea>`;
  }
  return html`<input
    id=${domId}
    aria-describedby="${domId}-about"
    placeholder=${definition.placeholder ?? ''}
    ?disabled=${view.isBusy}
    .value=${live(String(value))}
    @input=${typed}
  />`;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

function radios(field: OptionField<SelectOption>): TemplateResult {
  const { domId, definition, value } = field;
  const choices = definition.choices.map(
    (choice) =>
      html`<label class="radio">
        <input
          type="radio"
          name=${domId}
          value=${choice.value}
          .checked=${live(choice.value === value)}
          @change=${() => store(field, choice.value)}
        />
        ${shown(choice.label)}
      </label>`,
  );
  return inGroup(field, html`<div class="radios">${choices}</div>`);
}

function choiceOf(field: OptionField, choices: readonly Choice[]): TemplateResult {
  const { domId, value, view } = field;
  return html`<select
    id=${domId}
    aria-describedby="${domId}-about"
    ?disabled=${view.isBusy}
    @change=${(event: Event) => store(field, (event.target as HTMLSelectElement).value)}
  >
    ${choices.map(
      (choice) =>
        html`<option value=${choice.value} .selected=${live(choice.value === value)}>${choice.label}</option>`,
    )}
  </select>`;
}

function modelInput(field: OptionField): TemplateResult {
  const { domId, value, view } = field;
  const models = view.models?.list() ?? [];
  if (models.length === 0) {
    return html`<input
      id=${domId}
      aria-describedby="${domId}-about"
      ?disabled=${view.isBusy}
      .value=${live(String(value))}
      @input=${(event: Event) => store(field, (event.target as HTMLInputElement).value.trim())}
    />`;
  }
  const isOffered = value === '' || models.some(({ id }) => id === value);
  return choiceOf(field, [
    { value: '', label: view.texts.anyModel },
    ...models.map(({ id, label = id }) => ({ value: id, label })),
    ...(isOffered ? [] : [{ value: String(value), label: view.texts.notOffered(String(value)) }]),
  ]);
}

function modelList(field: OptionField): TemplateResult {
  const { definition, value, view } = field;
  return html`<utensil-model-list
    label=${definition.label}
    .value=${Array.isArray(value) ? value : []}
    .models=${view.models?.list() ?? []}
    @change=${(event: CustomEvent<readonly string[]>) => store(field, event.detail)}
  ></utensil-model-list>`;
}

function secretField({ tool, id, definition, view }: OptionField): TemplateResult {
  const names = [tool.name, ...(tool.formerNames ?? [])];
  return html`<div class="option">
    <utensil-secret
      .secrets=${view.secrets}
      .keys=${names.map((name) => `${name}.${id}`)}
      label=${definition.label}
      description=${definition.description ?? ''}
    ></utensil-secret>
  </div>`;
}
