import type { QuestionAnswer, Json, JsonSchema, Registry, Tool } from '@utensil/core';
import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { register, UtensilElement } from '../base/element.ts';
import { cardOf } from '../call/card.ts';
import { cardStyles, cardView } from '../call/card-view.ts';
import { inputView } from '../call/details.ts';
import { UtensilDiff } from '../diff/diff.ts';
import type { Texts } from '../texts/texts.ts';
import { wholeText } from '../value/bounded.ts';
import { icon, iconStyles, toolIcon } from '../value/icons.ts';
import { shown, shownStyles } from '../value/shown.ts';
import { UtensilValue } from '../value/value.ts';
import type { Question } from '../view/call-view.ts';
import { formFields } from './answer-form.ts';
import { sourcesOf, warningsOf } from './deceit.ts';
import { editedInput } from './edit.ts';
import { answerOf, fieldsOf, offerField, offersOf } from './schema-form.ts';
import type { Filled, FormField } from './schema-form.ts';
import { approvalStyles } from './styles.ts';

/** Detail of `utensil-answer`, for `run.answer(questionId, answer)`. */
export interface AnswerDetail {
  readonly questionId: string;
  readonly answer: QuestionAnswer;
}

/**
 * `<utensil-approval>`: a question of a run about a call: permission to run it, its answer, or its outcome after an
 * interruption.
 *
 * Fires `utensil-answer` with {@link AnswerDetail} once; if that is prevented, the question stays open. It never takes
 * the focus by itself; `focus()` moves it there.
 */
export class UtensilApproval extends UtensilElement {
  static override properties: PropertyDeclarations = {
    question: { attribute: false },
    registry: { attribute: false },
    canRemember: { attribute: false },
    problem: { type: String },
    edited: { state: true },
    filled: { state: true },
    wrong: { state: true },
    said: { state: true },
  };

  static override styles: CSSResultGroup = [UtensilElement.styles, iconStyles, shownStyles, cardStyles, approvalStyles];

  /** The question. */
  declare question: Question | undefined;
  /** Registry of the tool, for its icon, its access to the outside world and its patterns. */
  declare registry: Pick<Registry, 'get'> | undefined;
  /** True to offer “Always allow”: the run has `grants` to store it. Default: false. */
  declare canRemember: boolean;
  /** Error of the last answer; the question is open again. */
  declare problem: string;
  declare edited: string | undefined;
  declare filled: Filled;
  declare wrong: string | undefined;
  declare said: keyof Texts['approval']['answered'] | undefined;
  #warned: readonly string[] = [];
  #warnedIn: Texts | undefined;

  constructor() {
    super();
    this.canRemember = true;
    this.problem = '';
    this.filled = {};
  }

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>('.ask')?.focus(options);
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    const before = changed.get('question') as Question | undefined;
    const { question } = this;
    const isOther = before?.questionId !== question?.questionId;
    if (changed.has('question') && isOther) this.#begin();
    if ((changed.has('question') || this.#warnedIn !== this.texts) && question) {
      const { input, title, preview = null, ignored } = question;
      const again = ignored === undefined ? [] : [this.#texts.ignored(ignored)];
      this.#warned = [...again, ...warningsOf(input, [title, preview], this.#texts)]; // not on every keystroke
      this.#warnedIn = this.texts;
    }
    if (changed.has('problem') && this.problem !== '') this.said = undefined;
  }

  get #texts(): Texts['approval'] {
    return this.texts.approval;
  }

  #begin(): void {
    this.edited = undefined;
    this.filled = {};
    this.wrong = undefined;
    this.said = undefined;
  }

  override render(): TemplateResult | typeof nothing {
    const { question } = this;
    if (question === undefined) return nothing;
    const { kind, title, effects } = question;
    const isDangerous = kind !== 'input' && effects === 'destructive';
    return html`<section
      class="ask ${isDangerous ? 'destructive' : ''}"
      part="ask"
      tabindex="-1"
      aria-labelledby="heading title"
    >
      <div class="heading" id="heading">${this.#texts.heading[kind]}</div>
      <div class="call" id="title">
        ${toolIcon(this.#tool?.ui?.icon, this.#tool?.ui?.category)} <span>${shown(title)}</span>
      </div>
      ${kind === 'input' ? nothing : this.#effects(question)} ${this.#warnings()}
      ${this.edited === undefined || question.preview !== undefined ? this.#seen(question) : nothing}
      ${this.said === undefined ? this.#answers(question) : nothing}
      <div class="problem" role="alert">${this.problem}</div>
      <div class="muted" role="status">${this.said === undefined ? nothing : this.#texts.answered[this.said]}</div>
    </section>`;
  }

  /** The subject scrolls separately, so that the answer buttons stay in place. */
  #seen({ preview, ...question }: Question): TemplateResult {
    const offers = question.kind === 'input' ? offerField(question.input) : undefined;
    const fields = Object.entries(question.input).filter(([name]) => name !== offers);
    const call = { ...question, input: Object.fromEntries(fields), status: 'asking', inner: [] } as const;
    return html`<div class="seen" tabindex="0" role="group" aria-label=${this.#texts.input}>
      ${preview === undefined ? nothing : this.#preview(preview)}
      ${this.edited === undefined ? inputView(call, this.texts) : nothing}
    </div>`;
  }

  get #tool(): Tool | undefined {
    return this.question && this.registry?.get(this.question.name);
  }

  #effects({ effects, reason, taintedBy = [] }: Question): TemplateResult {
    return html`<ul class="effects">
      <li class=${effects === 'destructive' ? 'strong' : ''}>${this.#texts.effects[effects]}</li>
      ${this.#tool?.openWorld === true ? html`<li>${this.#texts.openWorld}</li>` : nothing}
      ${reason === undefined ? nothing : html`<li>${shown(reason)}</li>`}
      ${taintedBy.length === 0 ? nothing : html`<li class="strong">${this.#texts.tainted} ${shown(sourcesOf(taintedBy))}</li>`}
    </ul>`;
  }

  #warnings(): TemplateResult | typeof nothing {
    if (this.#warned.length === 0) return nothing;
    return html`<ul class="warnings">
      ${this.#warned.map((warning) => html`<li>${icon('warning')} ${warning}</li>`)}
    </ul>`;
  }

  #preview(preview: Json): TemplateResult {
    return html`<section>
      <div class="title">${this.#texts.preview}</div>
      ${cardView(cardOf(preview), { label: this.#texts.preview, texts: this.texts })}
    </section>`;
  }

  #answers(question: Question): TemplateResult {
    if (question.kind === 'input') return this.#form(question);
    if (question.kind === 'recovery') return this.#recovery();
    return this.edited === undefined ? this.#approval(question) : this.#editor(this.edited);
  }

  #approval({ effects, answers }: Question): TemplateResult {
    const takes = (answer: string): boolean => answers?.includes(answer) ?? true;
    const button = (answer: 'once' | 'run' | 'always' | 'deny', look = ''): TemplateResult =>
      html`<button class="${answer} ${look}" @click=${() => this.#answer(answer)}>${this.#texts[answer]}</button>`;
    return html`<div class="actions">
      ${button('once', effects === 'destructive' ? '' : 'primary')} ${takes('run') ? button('run') : nothing}
      ${this.canRemember && takes('always') ? button('always') : nothing} ${button('deny')}
      ${
        takes('input')
          ? html`<button class="plain change" @click=${() => this.#edit()}>${this.#texts.change}</button>`
          : nothing
      }
    </div>`;
  }

  #recovery(): TemplateResult {
    const choice = (answer: 'accept' | 'reject' | 'again', hint: string): TemplateResult =>
      html`<div>
        <button class=${answer} aria-describedby="${answer}-hint" @click=${() => this.#answer(answer)}>
          ${this.#texts[answer]}
        </button>
        <span class="muted" id="${answer}-hint">${hint}</span>
      </div>`;
    return html`<p>${this.#texts.recovery}</p>
      <div class="choices">
        ${choice('accept', this.#texts.acceptHint)} ${choice('reject', this.#texts.rejectHint)}
        ${choice('again', this.#texts.againHint)}
      </div>`;
  }

  #editor(edited: string): TemplateResult {
    return html`<form class="form" @submit=${(event: Event) => void this.#sendEdited(event)}>
      <label for="edited">${this.#texts.changed}</label>
      <textarea
        id="edited"
        class="json"
        rows="8"
        spellcheck="false"
        aria-invalid=${this.problem === '' ? 'false' : 'true'}
        .value=${edited}
        @input=${(event: Event) => (this.edited = (event.target as HTMLTextAreaElement).value)}
      ></textarea>
      <div class="actions">
        <button class="primary">${this.#texts.allowChanged}</button>
        <button type="button" @click=${() => this.#stopEditing()}>${this.#texts.back}</button>
      </div>
    </form>`;
  }

  #form({ input }: Question): TemplateResult {
    const fields = this.#fields();
    const state = {
      texts: this.#texts,
      filled: this.filled,
      wrong: this.wrong,
      fill: (name: string, value: string | boolean): void => void (this.filled = { ...this.filled, [name]: value }),
    };
    const offers = fields.length === 1 && fields[0]?.name === '' ? offersOf(input) : [];
    return html`<form class="form" @submit=${(event: Event) => this.#sendFilled(event, fields)}>
      ${
        offers.length === 0
          ? nothing
          : html`<div class="offers" role="group" aria-label=${this.#texts.yourAnswer}>
              ${offers.map(
                (offer) =>
                  html`<button type="button" @click=${() => this.#answer({ output: offer })}>${shown(offer)}</button>`,
              )}
            </div>`
      }
      ${formFields(fields, state)}
      <div class="actions">
        <button class="primary">${this.#texts.send}</button>
        <button type="button" class="deny" @click=${() => this.#answer('deny')}>${this.#texts.noAnswer}</button>
      </div>
    </form>`;
  }

  /** Fields of the tool's answer schema; a text field if it has none; a JSON field for other schemas. */
  #fields(): readonly FormField[] {
    const schema = this.#tool?.output?.['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    const one = { name: '', description: '', kind: 'longtext', choices: [], isNeeded: true } as const;
    if (schema === undefined) return [{ ...one, label: this.#texts.yourAnswer }];
    return fieldsOf(schema as JsonSchema) ?? [{ ...one, name: jsonField, label: this.#texts.answerJson }];
  }

  async #edit(): Promise<void> {
    this.edited = wholeText(this.question?.input ?? {});
    await this.updateComplete;
    this.renderRoot.querySelector('textarea')?.focus();
  }

  async #stopEditing(): Promise<void> {
    this.edited = undefined;
    this.problem = '';
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('.change')?.focus();
  }

  async #sendEdited(event: Event): Promise<void> {
    event.preventDefault();
    const { question } = this;
    const edited = await editedInput(this.edited ?? '', this.#tool, this.#texts);
    if (question !== this.question) return; // another question was set in the meantime
    if ('problem' in edited) this.problem = edited.problem;
    else await this.#answer(edited);
  }

  #sendFilled(event: Event, fields: readonly FormField[]): void {
    event.preventDefault();
    const answer = answerOf(fields, this.filled);
    if ('output' in answer) {
      const output = fields[0]?.name === jsonField ? this.#json() : answer.output;
      if (output !== undefined) void this.#answer({ output });
      return;
    }
    this.wrong = answer.field.name;
    this.problem = this.#texts[answer.problem](answer.field.label);
  }

  #json(): Json | undefined {
    try {
      return JSON.parse(String(this.filled[jsonField])) as Json;
    } catch (error) {
      this.problem = this.#texts.noJson(error instanceof Error ? error.message : '');
      return undefined;
    }
  }

  async #answer(answer: QuestionAnswer): Promise<void> {
    const { question } = this;
    if (question === undefined || this.said !== undefined) return;
    this.problem = '';
    this.wrong = undefined;
    const { questionId } = question;
    if (!this.tell('utensil-answer', { questionId, answer } satisfies AnswerDetail)) return;
    const hadFocus = this.shadowRoot?.activeElement !== null;
    this.said = saidOf(answer, question);
    this.edited = undefined;
    await this.updateComplete;
    if (hadFocus && this.isConnected) this.focus(); // the focused button is gone
  }
}

/** Name of the form value for JSON input. */
/** Text that reports the given answer. */
function saidOf(answer: QuestionAnswer, { kind }: Question): keyof Texts['approval']['answered'] {
  if (typeof answer !== 'string') return 'input' in answer ? 'input' : 'output';
  return kind === 'input' && answer === 'deny' ? 'skipped' : answer;
}

const jsonField = '\u0000json';

register('utensil-approval', UtensilApproval);
register('utensil-diff', UtensilDiff);
register('utensil-value', UtensilValue);

declare global {
  interface HTMLElementTagNameMap {
    'utensil-approval': UtensilApproval;
  }
}
