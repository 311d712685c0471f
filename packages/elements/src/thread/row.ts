import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Texts } from '../texts/texts.ts';
import type { MessageView } from '../view/index.ts';
import type { Branch, RowFacts, TurnUsage } from './facts.ts';
import { askedBefore, itemsOf, noticeView } from './items.ts';
import type { ItemShowing } from './items.ts';
import { countdown } from './countdown.ts';
import { retryText } from './retry-text.ts';

type Shown = TemplateResult | typeof nothing;

/** Actions of a message. */
export interface RowActions {
  copy(view: MessageView): void;
  regenerate(messageId: string): void;
  goOn(messageId: string | undefined): void;
  edit(messageId: string | undefined): void;
  send(messageId: string, text: string): void;
  branch(messageId: string, to: number): void;
  /** Shows more parts of a long message. */
  more(view: MessageView): void;
}

/**
 * Number of parts at the end of a long message that are always shown. Up to twice as many may be, so that they rarely
 * move.
 */
export const shownPieces = 100;

function firstShown(count: number, more: number): number {
  return Math.max(0, (Math.floor(count / shownPieces) - 1) * shownPieces - more);
}

/** Context for rendering a message. */
export interface RowShowing extends ItemShowing {
  readonly isEditing: boolean;
  /** True while a run is in progress: nothing can be regenerated. */
  readonly isRunning: boolean;
  /** Result of copying. */
  readonly said: string;
  readonly branch: Branch | undefined;
  /** Number of additional parts to show. */
  readonly more: number;
  readonly actions: RowActions;
}

/** Renders a message with its parts and actions. */
export function rowView(facts: RowFacts, showing: RowShowing): TemplateResult {
  const { view, startsTurn, endsTurn } = facts;
  const { isEditing } = showing;
  const isWaiting = view.isStreaming === true && view.items.length === 0;
  return html`<div class="message ${view.role} ${startsTurn ? 'first' : ''}">
    ${
      view.role === 'user' && isEditing
        ? editor(view, showing)
        : html`<div class="body">${pieces(view, showing)} ${isWaiting ? waits(view, showing.texts) : nothing}</div>`
    }
    ${endsTurn && view.isStreaming !== true && !isEditing ? foot(facts, showing) : nothing} ${ended(facts, showing)}
  </div>`;
}

/** Indicator while nothing has arrived. */
function waits({ retry }: MessageView, texts: Texts): TemplateResult {
  if (retry === undefined) return html`<p class="waits"><span class="hidden-text">${texts.thread.waits}</span></p>`;
  const shown = countdown({ until: retry.until, text: (left) => retryText(retry, left, texts) });
  return html`<p class="waits retry"><span dir="auto">${shown}</span></p>`;
}

/** Notice below the actions. */
function ended({ view, notice, isLast }: RowFacts, { isRunning, actions, texts }: RowShowing): Shown {
  const own = view.items.findLast((item) => item.type === 'notice');
  const shown = notice ?? (own && { ...own, text: texts.ending.interrupted });
  if (shown === undefined) return nothing;
  const canGoOn = isLast && shown.canContinue && !isRunning;
  const action = canGoOn ? html`<button @click=${() => actions.goOn(view.id)}>${texts.thread.goOn}</button>` : nothing;
  return noticeView(shown, action, texts.thread);
}

function pieces(view: MessageView, showing: RowShowing): Shown {
  const from = firstShown(view.items.length, showing.more);
  if (from === 0) return itemsOf(view, 0, showing);
  return html`<button class="plain earlier" @click=${() => showing.actions.more(view)}>
      ${showing.texts.thread.earlierPieces(from)}
    </button>
    ${askedBefore(view, from, showing)} ${itemsOf(view, from, showing)}`;
}

function foot({ view, turnId, usage }: RowFacts, showing: RowShowing): TemplateResult {
  const { isRunning, said, branch, actions } = showing;
  const { thread: texts } = showing.texts;
  const { id, role } = view;
  const again = role === 'assistant' && turnId !== undefined && !isRunning;
  return html`<div class="foot">
    ${branch === undefined || branch.count < 2 ? nothing : versions(turnId ?? '', branch, showing)}
    <button class="plain" @click=${() => actions.copy(view)}>${texts.copy}</button>
    ${
      again
        ? html`<button class="plain" @click=${() => actions.regenerate(turnId)}>${texts.regenerate}</button>`
        : nothing
    }
    ${
      role === 'user' && id !== undefined && !isRunning
        ? html`<button class="plain edit" @click=${() => actions.edit(id)}>${texts.edit}</button>`
        : nothing
    }
    <span class="said" role="status">${said}</span>
    ${usage === undefined ? nothing : html`<bdi class="usage">${usageText(usage, showing.texts)}</bdi>`}
  </div>`;
}

function usageText({ model, tokens, cost }: TurnUsage, { formats, thread }: Texts): string {
  const said = [
    ...(model === undefined ? [] : [model]),
    ...(tokens > 0 ? [thread.tokens(tokens)] : []),
    ...(cost === undefined ? [] : [formats.dollars(cost)]),
  ];
  return said.join(' · ');
}

function versions(
  messageId: string,
  { index, count }: Branch,
  { isRunning, actions, texts: { thread: texts } }: RowShowing,
): TemplateResult {
  return html`<span class="versions" role="group" aria-label=${texts.version(index, count)}>
    <button
      class="plain"
      aria-label=${texts.earlier}
      ?disabled=${isRunning || index === 0}
      @click=${() => actions.branch(messageId, index - 1)}
    >
      ‹
    </button>
    <span aria-hidden="true">${texts.versionShort(index, count)}</span>
    <button
      class="plain"
      aria-label=${texts.later}
      ?disabled=${isRunning || index >= count - 1}
      @click=${() => actions.branch(messageId, index + 1)}
    >
      ›
    </button>
  </span>`;
}

function editor({ id, items }: MessageView, { actions, texts: { thread: texts } }: RowShowing): TemplateResult {
  const text = items.map((item) => (item.type === 'text' ? item.text : '')).join('');
  const send = (event: Event): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLElement).closest('form')?.querySelector('textarea');
    if (id !== undefined && field && field.value.trim() !== '') actions.send(id, field.value);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.preventDefault();
      actions.edit(undefined);
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event);
  };
  return html`<form class="editor" @submit=${send}>
    <textarea
      dir="auto"
      aria-label=${texts.editing}
      rows=${Math.min(12, text.split('\n').length + 1)}
      .value=${text}
      @keydown=${onKey}
    ></textarea>
    <div class="buttons">
      <button type="button" @click=${() => actions.edit(undefined)}>${texts.cancel}</button>
      <button class="primary" type="submit">${texts.send}</button>
    </div>
  </form>`;
}
