import type { Question as ThreadQuestion, Registry, WaitingQuestion } from '@utensil/core';
import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { UtensilApproval } from '../approval/approval.ts';
import type { AnswerDetail } from '../approval/approval.ts';
import { register, UtensilElement } from '../base/element.ts';
import type { Texts } from '../texts/texts.ts';
import { iconStyles, toolIcon } from '../value/icons.ts';
import { shown, shownStyles } from '../value/shown.ts';
import type { Question } from '../view/call-view.ts';
import { waitingStyles } from './styles.ts';

/** Detail of `utensil-answer`, for `answerQuestion(openThread(records, threadId), { questionId, answer })`. */
export interface WaitingAnswerDetail extends AnswerDetail {
  readonly threadId: string;
}

/** Detail of `utensil-open`: the conversation to show. */
export interface OpenDetail {
  readonly threadId: string;
}

/** The expanded question. */
type Opened =
  | { readonly state: 'reading' | 'gone'; readonly key: string }
  | { readonly state: 'asked'; readonly key: string; readonly question: Question };

/** Number of rows shown before all are requested. */
const mostShown = 20;

/**
 * `<utensil-waiting>`: open questions of all conversations, from `listQuestions`.
 *
 * Fires `utensil-open` with {@link OpenDetail}, unless `hrefOf` returns a link, and `utensil-answer` with {@link
 * WaitingAnswerDetail} if `read` returns whole questions. Renders nothing while there are no questions.
 */
export class UtensilWaiting extends UtensilElement {
  static override properties: PropertyDeclarations = {
    questions: { attribute: false },
    titleOf: { attribute: false },
    hrefOf: { attribute: false },
    read: { attribute: false },
    registry: { attribute: false },
    canRemember: { attribute: false },
    problem: { type: String },
    opened: { state: true },
    showsAll: { state: true },
  };

  static override styles: CSSResultGroup = [UtensilElement.styles, iconStyles, shownStyles, waitingStyles];

  /** From `listQuestions(records)`. */
  declare questions: readonly WaitingQuestion[];
  /** Returns the title of a conversation. */
  declare titleOf: ((threadId: string) => string | undefined) | undefined;
  /** Returns the URL of a conversation. Absent: `utensil-open` is fired instead. */
  declare hrefOf: ((threadId: string) => string) | undefined;
  /**
   * Returns the whole question, from `openQuestions(thread)`. Absent: questions are answered only in their
   * conversations.
   */
  declare read: ((question: WaitingQuestion) => Promise<ThreadQuestion | undefined>) | undefined;
  /** Registry of tools, for icons and patterns. */
  declare registry: Pick<Registry, 'get'> | undefined;
  /** True to offer “Always allow”. Default: false. */
  declare canRemember: boolean;
  /** Error of the last answer; the question is open again. */
  declare problem: string;
  declare opened: Opened | undefined;
  declare showsAll: boolean;

  constructor() {
    super();
    this.questions = [];
    this.canRemember = false;
    this.problem = '';
    this.showsAll = false;
  }

  get #texts(): Texts['waiting'] {
    return this.texts.waiting;
  }

  override render(): TemplateResult | typeof nothing {
    const { questions, showsAll } = this;
    if (questions.length === 0) return nothing;
    const rows = showsAll ? questions : questions.slice(0, mostShown);
    return html`<section aria-labelledby="heading" part="list">
      <h2 id="heading" part="heading">${this.#texts.heading(questions.length)}</h2>
      <ul>
        ${repeat(rows, keyOf, (question) => this.#row(question))}
      </ul>
      ${
        rows.length === questions.length
          ? nothing
          : html`<button class="plain" @click=${() => (this.showsAll = true)}>
              ${this.#texts.all(questions.length)}
            </button>`
      }
    </section>`;
  }

  #row(question: WaitingQuestion): TemplateResult {
    const { threadId, title, time } = question;
    const key = keyOf(question);
    const isOpen = this.opened?.key === key;
    const where = this.titleOf?.(threadId) ?? this.#texts.untitled;
    const what = html`${this.#icon(question)}<span
        ><span class="title" dir="auto">${shown(title)}</span>
        <span class="where" dir="auto">${shown(where)}${this.#since(time)}</span></span
      >`;
    return html`<li>
      <div class="row">
        ${
          this.hrefOf === undefined
            ? html`<button class="what" @click=${() => this.tell('utensil-open', { threadId } satisfies OpenDetail)}>
                ${what}
              </button>`
            : html`<a class="what" href=${this.hrefOf(threadId)}>${what}</a>`
        }
        ${
          this.read === undefined
            ? nothing
            : html`<button
                class="answer"
                aria-expanded=${isOpen ? 'true' : 'false'}
                aria-label=${isOpen ? this.#texts.close : this.#texts.answerOf(title)}
                @click=${() => void this.#toggle(question)}
              >
                ${isOpen ? this.#texts.close : this.#texts.answer}
              </button>`
        }
      </div>
      ${isOpen ? this.#whole(question) : nothing}
    </li>`;
  }

  #since(time: number): TemplateResult | typeof nothing {
    const date = new Date(time);
    if (Number.isNaN(date.getTime())) return nothing; // stored data may be anything
    return html` · <time datetime=${date.toISOString()}>${this.texts.formats.time(time)}</time>`;
  }

  #icon({ name }: WaitingQuestion): TemplateResult | typeof nothing {
    const ui = this.registry?.get(name)?.ui;
    return toolIcon(ui?.icon, ui?.category);
  }

  #whole({ threadId }: WaitingQuestion): TemplateResult | typeof nothing {
    const { opened } = this;
    if (opened === undefined) return nothing;
    if (opened.state !== 'asked') return html`<p role="status">${this.#texts[opened.state]}</p>`;
    return html`<utensil-approval
      .question=${opened.question}
      .registry=${this.registry}
      .canRemember=${this.canRemember}
      .problem=${this.problem}
      @utensil-answer=${(event: CustomEvent<AnswerDetail>) => this.#answer(event, threadId)}
    ></utensil-approval>`;
  }

  /** Expands or collapses a question. */
  async #toggle(waiting: WaitingQuestion): Promise<void> {
    const key = keyOf(waiting);
    this.problem = '';
    if (this.opened?.key === key) return void (this.opened = undefined);
    this.opened = { state: 'reading', key };
    const found = await this.read?.(waiting).catch(() => undefined);
    if (this.opened?.key !== key) return; // another one was expanded in the meantime
    this.opened = found === undefined ? { state: 'gone', key } : { state: 'asked', key, question: asked(found) };
  }

  #answer(event: CustomEvent<AnswerDetail>, threadId: string): void {
    event.stopPropagation(); // replaced by an event with the conversation id
    this.problem = '';
    const detail: WaitingAnswerDetail = { ...event.detail, threadId };
    if (!this.tell('utensil-answer', detail)) event.preventDefault();
  }
}

/** Ids are unique within a thread. */
function keyOf({ threadId, id }: WaitingQuestion): string {
  return `${threadId} ${id}`;
}

function asked({ id, ...question }: ThreadQuestion): Question {
  return { ...question, questionId: id };
}

register('utensil-waiting', UtensilWaiting);
register('utensil-approval', UtensilApproval);

declare global {
  interface HTMLElementTagNameMap {
    'utensil-waiting': UtensilWaiting;
  }
}
