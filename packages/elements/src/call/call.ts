import { css, html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { register, UtensilElement } from '../base/element.ts';
import { UtensilDiff } from '../diff/diff.ts';
import { seen } from '../markdown/prose.ts';
import { isOver, pathOf } from '../view/call-view.ts';
import type { CallStatus, CallView } from '../view/call-view.ts';
import { icon, iconStyles, toolIcon } from '../value/icons.ts';
import type { IconName } from '../value/icons.ts';
import { resourceStyles } from '../value/resource-link.ts';
import { shown, shownStyles } from '../value/shown.ts';
import { UtensilValue } from '../value/value.ts';
import { cardStyles } from './card-view.ts';
import { inputView, progressView, repairsView, resultView, sayingView } from './details.ts';
import type { Way } from './details.ts';
import { summaryOf } from './summary.ts';

const shownInner = 20;

const statusIcons: Readonly<Record<CallStatus, IconName>> = {
  input: 'dots',
  waiting: 'dots',
  asking: 'person',
  running: 'ring',
  done: 'check',
  failed: 'cross',
  declined: 'cross',
  cancelled: 'cross',
  interrupted: 'warning',
  left: 'dots',
};

/** States of a pending or running call. */
const cancellable: ReadonlySet<CallStatus> = new Set(['waiting', 'running']);

/** Detail of `utensil-cancel`. */
export interface CancelDetail {
  readonly callId: string;
  /** For `run.cancel(path)`: the calls whose tools started the enclosing runs, outermost first, and its own id. */
  readonly path: readonly string[];
}

/**
 * `<utensil-call>`: a call as one summary line that expands to all details.
 *
 * Fires `utensil-cancel` { callId, path } when a person cancels it or a nested call.
 */
export class UtensilCall extends UtensilElement {
  static override properties: PropertyDeclarations = {
    call: { attribute: false },
    category: { type: String },
    open: { type: Boolean, reflect: true },
    canCancel: { type: Boolean, attribute: 'can-cancel' },
    path: { attribute: false },
    way: { state: true },
    innerShown: { state: true },
  };

  static override styles: CSSResultGroup = [
    UtensilElement.styles,
    iconStyles,
    shownStyles,
    cardStyles,
    resourceStyles,
    css`
      .card {
        border: 1px solid var(--u-border);
        border-radius: var(--u-radius);
        background: var(--u-background);
        overflow: clip;
      }
      .head {
        display: flex;
        align-items: center;
      }
      .cancel {
        flex: none;
        min-block-size: 1.75rem;
        margin-inline-end: 0.375rem;
        padding: 0.125rem 0.625rem;
        font-size: 0.8125rem;
        animation: appear 0.4s step-end; /* not for a call that is over at once */
      }
      @keyframes appear {
        from {
          display: none;
        }
      }
      .line {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        flex: 1;
        min-inline-size: 0;
        min-block-size: 2.375rem;
        padding: 0.25rem 0.75rem;
        border-radius: 0;
        text-align: start;
      }
      .line:focus-visible {
        outline-offset: -2px;
      }
      .line:hover {
        background: var(--u-surface);
      }
      .name {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        font-weight: 500;
        flex: 0 1 auto;
        min-inline-size: 4rem;
      }
      .note {
        flex: 1 1 0;
        min-inline-size: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        color: var(--u-muted);
        font-size: 0.8125rem;
      }
      .status {
        display: inline-flex;
        align-items: center;
        gap: 0.3125rem;
        flex: none;
        font-size: 0.8125rem;
        color: var(--u-muted);
        font-variant-numeric: tabular-nums;
      }
      .status.done .icon {
        color: var(--u-good);
      }
      .status.failed {
        color: var(--u-bad);
      }
      .status.asking,
      .status.interrupted {
        color: var(--u-warn);
      }
      .status .ring {
        animation: turn 1s linear infinite;
      }
      @keyframes turn {
        to {
          rotate: 1turn;
        }
      }
      .line > .chevron {
        transition: rotate 0.15s;
        color: var(--u-muted);
      }
      .line:dir(rtl) > .chevron {
        scale: -1 1;
      }
      .line[aria-expanded='true'] > .chevron {
        rotate: 90deg;
      }
      .line:dir(rtl)[aria-expanded='true'] > .chevron {
        rotate: -90deg;
      }
      .details {
        display: grid;
        gap: 0.75rem;
        padding: 0.75rem;
        border-block-start: 1px solid var(--u-border);
      }
      .details > * {
        min-inline-size: 0;
      }
      .title {
        margin-block-end: 0.25rem;
        color: var(--u-muted);
        font-size: 0.75rem;
        font-weight: 600;
      }
      dl {
        display: grid;
        grid-template-columns: minmax(4rem, max-content) minmax(0, 1fr);
        gap: 0.25rem 1rem;
        margin: 0;
        font-size: 0.875rem;
      }
      dt {
        color: var(--u-muted);
        max-inline-size: 10rem;
        overflow-wrap: anywhere;
      }
      dd {
        margin: 0;
        overflow-wrap: anywhere;
      }
      .kept {
        min-block-size: 7.375rem; /* that of its title and its tail */
      }
      .tail {
        margin: 0;
        padding: 0.5rem 0.75rem;
        block-size: 6rem;
        overflow: auto;
        display: flex;
        flex-direction: column-reverse;
        contain: strict;
        border-radius: var(--u-radius);
        background: var(--u-surface);
        font-size: 0.8125rem;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .ways {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem;
        margin-block-end: 0.375rem;
      }
      .ways button {
        min-block-size: 1.75rem;
        padding: 0.125rem 0.625rem;
        font-size: 0.8125rem;
        color: var(--u-muted);
      }
      .ways button[aria-pressed='true'] {
        background: var(--u-surface);
        border-color: var(--u-border);
        color: var(--u-text);
      }
      img {
        display: block;
        max-inline-size: 100%;
        max-block-size: 24rem;
        margin-block-start: 0.5rem;
        border-radius: var(--u-radius);
      }
      ol,
      ul {
        margin: 0;
        padding-inline-start: 1.125rem;
      }
      ol {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.375rem;
        padding: 0;
        list-style: none;
      }
      p {
        margin: 0;
        overflow-wrap: anywhere;
      }
    `,
  ];

  /** The call. */
  declare call: CallView | undefined;
  /** Category of its tool, for a fallback icon. */
  declare category: string | undefined;
  /** True if details are expanded. */
  declare open: boolean;
  /** True if it and nested calls can be cancelled. Default: false. */
  declare canCancel: boolean;
  /** Path for `run.cancel`. Default: its id, for a call of the run itself. */
  declare path: readonly string[] | undefined;
  declare way: Way;
  declare innerShown: number;
  #hadTail = false;

  constructor() {
    super();
    this.open = false;
    this.canCancel = false;
    this.way = 'result';
    this.innerShown = shownInner;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const isOther = changed.get('call') !== undefined && changed.get('call')?.callId !== this.call?.callId;
    this.#hadTail = !isOther && (this.#hadTail || (this.open && this.call?.status === 'input'));
  }

  override render(): TemplateResult | typeof nothing {
    const { call } = this;
    if (call === undefined) return nothing;
    return html`<div class="card" part="card">
      <div class="head">${this.#line(call)} ${this.#cancel(call)}</div>
      <div id="details" class=${this.open ? 'details' : ''}>${this.open ? this.#details(call) : nothing}</div>
    </div>`;
  }

  #line(call: CallView): TemplateResult {
    const { title, icon: name, status, durationMs, result, inner } = call;
    const { call: texts, formats } = this.texts;
    const hasEnded = isOver(call);
    const note = result ? summaryOf(result, texts) : inner.length > 0 && !hasEnded ? texts.inner(inner.length) : '';
    return html`<button
      class="plain line"
      aria-expanded=${this.open}
      aria-controls="details"
      @click=${() => (this.open = !this.open)}
    >
      ${icon('chevron')} ${toolIcon(name, this.category)}
      <span class="name">${shown(title)}</span>
      <span class="note">${shown(note)}</span>
      <span class="status ${status}">
        ${icon(statusIcons[status])} ${texts.status[status]}
        ${durationMs === undefined || !hasEnded || durationMs === 0 ? nothing : html`<bdi>${formats.duration(durationMs)}</bdi>`}
      </span>
    </button>`;
  }

  #cancel(call: CallView): TemplateResult | typeof nothing {
    if (!this.canCancel || !cancellable.has(call.status)) return nothing;
    const { callId, title } = call;
    const { cancel, cancelOf } = this.texts.call;
    return html`<button
      class="cancel"
      aria-label=${cancelOf(seen(title))}
      @click=${() => this.tell('utensil-cancel', { callId, path: this.#path(call) } satisfies CancelDetail)}
    >
      ${cancel}
    </button>`;
  }

  #path(call: CallView): readonly string[] {
    return this.path ?? pathOf(call);
  }

  #details(call: CallView): TemplateResult {
    const { texts } = this;
    const result = { way: this.way, texts, choose: (way: Way): Way => (this.way = way) };
    return html`${inputView(call, texts, this.#hadTail)} ${repairsView(call, texts.call)}
    ${progressView(call, texts.call)} ${sayingView(call, texts.call)} ${this.#inner(call)}
    ${call.result ? resultView(call.result, result) : nothing}`;
  }

  #inner(outer: CallView): TemplateResult | typeof nothing {
    const { inner } = outer;
    if (inner.length === 0) return nothing;
    const rest = inner.length - this.innerShown;
    return html`<section>
      <div class="title">${this.texts.call.inner(inner.length)}</div>
      <ol>
        ${repeat(
          inner.slice(0, this.innerShown),
          ({ callId, runId = '' }) => `${runId} ${callId}`,
          (call) =>
            html`<li>
              <utensil-call
                .call=${call}
                .canCancel=${this.canCancel}
                .path=${pathOf(call, outer, this.#path(outer))}
              ></utensil-call>
            </li>`,
        )}
      </ol>
      ${
        rest > 0
          ? html`<button class="plain" @click=${() => (this.innerShown += 5 * shownInner)}>
              ${this.texts.call.moreInner(Math.min(rest, 5 * shownInner))}
            </button>`
          : nothing
      }
    </section>`;
  }
}

register('utensil-call', UtensilCall);
register('utensil-diff', UtensilDiff);
register('utensil-value', UtensilValue);

declare global {
  interface HTMLElementTagNameMap {
    'utensil-call': UtensilCall;
  }
}
