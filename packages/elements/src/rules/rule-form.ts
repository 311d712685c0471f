import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Texts } from '../texts/texts.ts';
import { shown } from '../value/shown.ts';
import { patternKinds, usualFields } from './draft.ts';
import type { DraftProblem, RuleDraft } from './draft.ts';

/** State and actions of the form. */
export interface RuleForm {
  readonly draft: RuleDraft;
  readonly texts: Texts['rules'];
  readonly isBusy: boolean;
  /** Names to choose from. */
  readonly tools: readonly string[];
  readonly categories: readonly string[];
  readonly problem: DraftProblem | undefined;
  /** True once the form was submitted: only then are missing fields reported. */
  readonly isSent: boolean;
  change(change: Partial<RuleDraft>): void;
  /** `isDateUnread`: the date is incomplete. */
  save(isDateUnread: boolean): void;
  cancel(): void;
}

/** Renders the form of a rule. Malformed values are reported below their field while typing. */
export function ruleForm(form: RuleForm): TemplateResult {
  const { draft, texts, isBusy, change } = form;
  const submit = (event: Event): void => {
    event.preventDefault();
    const until = (event.target as HTMLFormElement).querySelector<HTMLInputElement>('#until');
    form.save(until?.validity.badInput === true); // an incomplete date has no value and would mean no end
  };
  return html`<form class="form" aria-label=${texts.heading} novalidate @submit=${submit}>
    <fieldset class="field">
      <legend>${texts.decision}</legend>
      <div class="radios">
        ${(['allow', 'ask', 'deny'] as const).map(
          (decision) =>
            html`<label class="radio"
              ><input
                type="radio"
                name="decision"
                .checked=${live(draft.decision === decision)}
                @change=${() => change({ decision })}
              />${texts.decisions[decision]}</label
            >`,
        )}
      </div>
    </fieldset>
    ${textField(form, { member: 'tool', label: texts.tool, hint: texts.listHint, choices: form.tools })}
    ${textField(form, { member: 'category', label: texts.category, hint: texts.listHint, choices: form.categories })}
    ${selectField(form, { member: 'effects', label: texts.effects, choices: [['', texts.allCalls], ...effectChoices(texts)] })}
    ${selectField(form, { member: 'kind', label: texts.kind, choices: [['', texts.kinds.any], ...kindChoices(texts)] })}
    ${draft.kind === '' ? nothing : condition(form)} ${untilField(form)}
    <div class="actions">
      <button class="primary save" ?disabled=${isBusy}>${texts.save}</button>
      <button type="button" class="cancel" @click=${() => form.cancel()}>${texts.cancel}</button>
    </div>
  </form>`;
}

function effectChoices({ subjects }: Texts['rules']): readonly Choice[] {
  return (['read', 'write', 'destructive'] as const).map((effect) => [effect, subjects[effect]]);
}

function kindChoices({ kinds }: Texts['rules']): readonly Choice[] {
  return patternKinds.map((kind) => [kind, kinds[kind]]);
}

type Choice = readonly [value: string, label: string];

interface Field {
  readonly member: 'tool' | 'category' | 'fields';
  readonly label: string;
  readonly hint: string;
  readonly choices: readonly string[];
}

function textField(form: RuleForm, { member, label, hint, choices }: Field): TemplateResult {
  const wrong = problemText(form, member);
  return html`<div class="field">
    <label for=${member}>${label}</label>
    <input
      id=${member}
      list="${member}-choices"
      autocomplete="off"
      spellcheck="false"
      aria-describedby="${member}-hint ${member}-problem"
      aria-invalid=${wrong === '' ? 'false' : 'true'}
      .value=${live(form.draft[member])}
      @input=${(event: Event) => form.change({ [member]: valueOf(event) })}
    />
    <datalist id="${member}-choices">${choices.map((choice) => html`<option value=${choice}></option>`)}</datalist>
    ${below(member, hint, wrong)}
  </div>`;
}

function selectField(
  { draft, change }: RuleForm,
  {
    member,
    label,
    choices,
  }: { readonly member: 'effects' | 'kind'; readonly label: string; readonly choices: readonly Choice[] },
): TemplateResult {
  const choose = (event: Event): void => {
    const value = valueOf(event);
    const kind = patternKinds.find((each) => each === value);
    const isUsual = draft.kind === '' ? draft.fields === '' : draft.fields === usualFields[draft.kind];
    change({ [member]: value, ...(kind && isUsual && { fields: usualFields[kind] }) });
  };
  return html`<div class="field">
    <label for=${member}>${label}</label>
    <select id=${member} @change=${choose}>
      ${choices.map(([value, text]) => html`<option value=${value} .selected=${live(draft[member] === value)}>${text}</option>`)}
    </select>
  </div>`;
}

function condition(form: RuleForm): TemplateResult | typeof nothing {
  const { draft, texts, change } = form;
  if (draft.kind === '') return nothing;
  const wrong = problemText(form, 'patterns');
  return html`${textField(form, { member: 'fields', label: texts.fields, hint: texts.listHint, choices: [] })}
    <div class="field">
      <label for="patterns">${texts.patterns}</label>
      <textarea
        id="patterns"
        rows="3"
        spellcheck="false"
        aria-describedby="patterns-hint patterns-problem"
        aria-invalid=${wrong === '' ? 'false' : 'true'}
        .value=${live(draft.patterns)}
        @input=${(event: Event) => change({ patterns: valueOf(event) })}
      ></textarea>
      ${below('patterns', texts.patternsHint[draft.kind], wrong)}
    </div>`;
}

function untilField(form: RuleForm): TemplateResult {
  const { draft, texts, change } = form;
  const wrong = problemText(form, 'until');
  return html`<div class="field">
    <label for="until">${texts.until}</label>
    <input
      id="until"
      type="datetime-local"
      aria-describedby="until-hint until-problem"
      aria-invalid=${wrong === '' ? 'false' : 'true'}
      .value=${live(draft.until)}
      @input=${(event: Event) => change({ until: valueOf(event) })}
    />
    ${below('until', texts.untilHint, wrong)}
  </div>`;
}

function below(id: string, hint: string, wrong: string): TemplateResult {
  return html`<div class="about" id="${id}-hint">${hint}</div>
    <div class="problem" id="${id}-problem" role="alert">${shown(wrong)}</div>`;
}

/** Description of a field's problem. */
function problemText({ problem: found, draft, texts, isSent }: RuleForm, at: string): string {
  if (found?.at !== at || (found.problem === 'missing' && !isSent)) return '';
  const { problem, value } = found;
  if (problem === 'past') return texts.past;
  if (problem === 'missing') return at === 'fields' ? texts.missing.fields : texts.missing.patterns;
  if (at !== 'patterns' || draft.kind === '') return at === 'until' ? texts.malformed.until : texts.malformed.tool;
  const say = texts.malformed[draft.kind === 'command' ? 'text' : draft.kind];
  return say(value.slice(0, mostQuoted));
}

/** Maximum characters of a pattern to quote. */
const mostQuoted = 60;

function valueOf(event: Event): string {
  return (event.target as HTMLInputElement).value;
}
