import type { Message, Registry, Run, ThreadOwner } from '@utensil/core';
import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { register, UtensilElement } from '../base/element.ts';
import '../approval/approval.ts';
import type { AnswerDetail } from '../approval/approval.ts';
import { Watch } from '../base/watch.ts';
import '../call/call.ts';
import type { CancelDetail } from '../call/call.ts';
import { icon, iconStyles } from '../value/icons.ts';
import { noRun } from '../view/index.ts';
import type { CallView, FollowedThread, LiveRun, MessageView, Notice, ThreadView } from '../view/index.ts';
import { announcementOf } from './announce.ts';
import { factsOf, sameFacts, turnAt, wordsOf } from './facts.ts';
import type { Branch, RowFacts } from './facts.ts';
import { Follow } from './follow.ts';
import { Other, otherView } from './other.ts';
import type { OtherOwner } from './other.ts';
import { rowView, shownPieces } from './row.ts';
import type { RowActions } from './row.ts';
import { Scroll } from './scroll.ts';
import { ShownThread } from './shown-thread.ts';
import { resourceStyles } from '../value/resource-link.ts';
import { threadStyles } from './styles.ts';
import { answerRun, cancelCall } from './to-run.ts';

/** Detail of `utensil-owner`. */
export interface OwnerDetail {
  /** Current other owner; undefined if the thread can be written to again. */
  readonly owner: ThreadOwner | undefined;
}

/**
 * `<utensil-thread>`: a conversation of any length, rendered virtually.
 *
 * Its events are cancelable requests of a person: `utensil-regenerate` { messageId }, `utensil-edit` { messageId, text
 * }, `utensil-continue` { messageId }, `utensil-branch` { messageId, to }, and those of its calls and approvals.
 * `utensil-owner` { owner } reports that another owner of the `thread` has appeared or left.
 */
export class UtensilThread extends UtensilElement {
  static override properties: PropertyDeclarations = {
    thread: { attribute: false },
    messages: { attribute: false },
    live: { attribute: false },
    run: { attribute: false },
    registry: { attribute: false },
    branches: { attribute: false },
    notice: { attribute: false },
    owner: { attribute: false },
    canRemember: { attribute: false },
    canCancel: { attribute: false },
    loadImages: { type: Boolean, attribute: 'load-images' },
    editing: { state: true },
    more: { state: true },
    said: { state: true },
    announcement: { state: true },
  };

  static override styles: CSSResultGroup = [UtensilElement.styles, iconStyles, resourceStyles, threadStyles];

  /**
   * The thread, instead of `messages`: it is read here, and again after each write. While another tab or program owns
   * it, that is shown, along with its answer as it is stored.
   */
  declare thread: FollowedThread | undefined;
  /** Stored messages of the thread. */
  declare messages: readonly Message[];
  /** The current run, from `foldRun`. */
  declare live: LiveRun | undefined;
  /** The current run, instead of `live`: its events are read and its questions answered here. */
  declare run: Run | undefined;
  /** Registry for the titles and icons of calls that lack them. */
  declare registry: Pick<Registry, 'get' | 'subscribe' | 'snapshot'> | undefined;
  /** Messages with other versions, by id. */
  declare branches: ReadonlyMap<string, Branch> | undefined;
  /** Notice about the ending, instead of the thread's own. */
  declare notice: Notice | undefined;
  /** Another owner, such as another tab, if the app reads the thread itself. */
  declare owner: OtherOwner | undefined;
  /**
   * True if running calls can be cancelled, because the app handles `utensil-cancel`; those of `run` always can.
   * Default: false.
   */
  declare canCancel: boolean;
  /** True to offer “Always allow”: the run has `grants` to store it. Default: false. */
  declare canRemember: boolean;
  /** True to load external images without asking. Default: false. */
  declare loadImages: boolean;
  declare protected editing: string | undefined;
  /** Number of additional parts to show, by row key. */
  declare protected more: ReadonlyMap<string, number>;
  declare protected said: { readonly key: string; readonly text: string } | undefined;
  declare protected announcement: string;

  readonly #follow = new Follow(this);
  readonly #other = new Other(this, () =>
    this.tell('utensil-owner', { owner: this.#other.owner } satisfies OwnerDetail),
  );
  #messages: readonly Message[] | undefined;
  readonly #shown = new ShownThread();
  #facts = new Map<string, RowFacts>();
  #seenCount = 0;
  #rendered = '';
  #isPlaced = false;
  readonly #scroll = new Scroll(this); // reads the rows

  constructor() {
    super();
    this.messages = [];
    this.canRemember = false;
    this.canCancel = false;
    this.loadImages = false;
    this.more = new Map();
    this.announcement = '';
    void new Watch(this, () => [this.registry]);
  }

  get rowCount(): number {
    return this.#shown.rows.length;
  }

  get scroller(): HTMLElement | null {
    return this.renderRoot?.querySelector<HTMLElement>('.scroll') ?? null;
  }

  /** Rows with the focus, or with state that a person may have created. */
  get keptRows(): readonly number[] {
    const root = this.renderRoot as ShadowRoot;
    const focused = root.activeElement?.closest<HTMLElement>('article');
    const used = [...root.querySelectorAll<HTMLElement>(':is(utensil-approval, utensil-call[open], details[open])')];
    const rows = [focused, ...used.map((each) => each.closest<HTMLElement>('article'))];
    const edited = this.editing === undefined ? -1 : this.#shown.rows.indexOf(this.editing);
    const kept = rows.map((row) => (row == null ? -1 : this.#indexOf(row)));
    return [...new Set([...kept, edited])].filter((index) => index !== -1);
  }

  /** Current index of a row, which may have moved. */
  #indexOf({ dataset: { index, id = '' } }: HTMLElement): number {
    return id === '' ? Number(index ?? -1) : this.#shown.rows.indexOf(id);
  }

  /** Key of a row, which it keeps when its message is stored. */
  rowKey(index: number): string {
    const view = this.#shown.rows.at(index);
    return view === undefined ? String(index) : this.#shown.keyOf(view);
  }

  /** Scrolls to a message and focuses it. Resolves to false if it does not exist. */
  async scrollToMessage(id: string): Promise<boolean> {
    const index = this.#shown.rows.indexOf(id);
    if (index === -1) return false;
    this.#scroll.to(index);
    for (let frame = 0; frame < 10; frame++) {
      await new Promise((then) => requestAnimationFrame(then)); // rows on the way are measured first
      await this.updateComplete;
      const row = this.renderRoot.querySelector<HTMLElement>(`article[data-index="${index}"]`);
      row?.focus({ preventScroll: true });
    }
    return true;
  }

  /** Scrolls to the end. */
  scrollToEnd(): void {
    this.#scroll.toEnd();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('run')) this.#follow.of(this.run);
    this.#other.of(this.thread, this.run);
    const messages = this.thread === undefined ? (this.messages ?? []) : this.#other.messages;
    const before = this.#shown.take({
      messages: messages === this.#messages ? undefined : messages,
      live: this.#live(messages),
      notice: this.notice,
      texts: this.texts,
    });
    this.#messages = messages;
    if (before === undefined) return;
    const { live, rows, notice } = this.#shown;
    if (before.view !== before.now || before.rows.length !== rows.length) this.#scroll.renew();
    this.announcement = announcementOf(before.live, live, { rows, notice, texts: this.texts }) ?? this.announcement;
    const hasAsked = askedIn(live) !== undefined && askedIn(live) !== askedIn(before.live);
    this.#isPlaced &&= !hasAsked && !isOther(before.view, before.now); // after sending a message, the person wants to see the answer
  }

  /** The current run: of this page, or of another owner. */
  #live(messages: readonly Message[]): LiveRun {
    const own = this.run === undefined ? (this.live ?? noRun) : this.#follow.live;
    return own.status === 'running' || this.#owner === undefined
      ? own
      : this.#other.live(messages, this.owner?.questions);
  }

  get #owner(): OtherOwner | undefined {
    return this.owner ?? this.#other.owner;
  }

  get #canCancel(): boolean {
    return this.#owner === undefined && (this.canCancel || this.run !== undefined);
  }

  override render(): TemplateResult {
    const { items, state } = this.#scroll;
    this.#rendered = state;
    const facts = new Map<string, RowFacts>();
    const rows = items.map(({ index }) => this.#row(index, facts));
    this.#facts = facts;
    const isStreaming = this.#shown.live.status === 'running';
    return html`<div
        class="scroll"
        tabindex="0"
        role="region"
        aria-label=${this.texts.thread.thread}
        @keydown=${this.#onKey}
      >
        <div
          class="rows"
          role=${this.rowCount === 0 ? nothing : 'feed'}
          aria-label=${this.rowCount === 0 ? nothing : this.texts.thread.thread}
          aria-busy=${isStreaming}
          @utensil-answer=${this.#onAnswer}
          @utensil-cancel=${this.#onCancel}
        >
          ${repeat(
            rows,
            ({ key }) => key,
            ({ article }) => article,
          )}
        </div>
      </div>
      ${this.rowCount === 0 ? html`<p class="empty">${this.texts.thread.empty}</p>` : nothing} ${this.#latest()}
      ${otherView({ owner: this.#owner, problem: this.#other.problem }, this.texts)}
      <div class="hidden-text" role="status">${this.announcement}</div>`;
  }

  /** Renders a message, again only if it has changed. */
  protected renderRow(facts: RowFacts): TemplateResult {
    const key = this.#shown.keyOf(facts.view);
    return rowView(facts, {
      texts: this.texts,
      loadImages: this.loadImages,
      registry: this.registry,
      canRemember: this.canRemember,
      canCancel: this.#canCancel,
      callOf: (call) => this.#callOf(call),
      isEditing: this.editing !== undefined && this.editing === facts.view.id,
      isRunning: this.#shown.live.status === 'running',
      said: this.said?.key === key ? this.said.text : '',
      branch: this.branches?.get(facts.turnId ?? ''),
      more: this.more.get(key) ?? 0,
      actions: this.#actions,
    });
  }

  protected override updated(changed: PropertyValues): void {
    const scroller = this.scroller;
    const list = scroller?.querySelector<HTMLElement>('.rows');
    if (!scroller || !list) return;
    const hasMoved = this.#scroll.duringUpdate(() => {
      for (const row of this.#placeRows(list)) this.#scroll.measure(row);
      this.#scroll.placed();
      if (changed.has('editing')) this.renderRoot.querySelector('textarea')?.focus();
      if (this.#isPlaced || this.rowCount === 0 || scroller.clientHeight === 0) return;
      this.#isPlaced = true;
      this.#scroll.toEnd();
    });
    if (!hasMoved) return;
    this.#placeRows(list);
    if (this.#scroll.state !== this.#rendered) queueMicrotask(() => this.requestUpdate()); // not during an update
  }

  /** Positions the rendered rows. */
  #placeRows(list: HTMLElement): readonly HTMLElement[] {
    const places = new Map(this.#scroll.items.map(({ index, start }) => [String(index), start]));
    list.style.blockSize = `${this.#scroll.height}px`;
    const rows = [...list.querySelectorAll<HTMLElement>(':scope > article')];
    for (const row of rows) row.style.transform = `translateY(${places.get(row.dataset['index'] ?? '') ?? 0}px)`;
    return rows;
  }

  #row(index: number, known: Map<string, RowFacts>): { readonly key: string; readonly article: TemplateResult } {
    const key = this.rowKey(index);
    const now = factsOf(this.#shown.rows, index, this.#shown.notice);
    const before = this.#facts.get(key);
    const facts = now !== undefined && sameFacts(now, before) ? before : now;
    if (facts === undefined) return { key, article: html`` };
    known.set(key, facts);
    const branch = this.branches?.get(facts.turnId ?? '');
    const depends = [
      facts,
      this.editing !== undefined && this.editing === facts.view.id,
      this.#shown.live.status === 'running',
      this.said?.key === key ? this.said.text : '',
      branch?.index,
      branch?.count,
      this.more.get(key),
      this.registry?.snapshot(),
      this.loadImages,
      this.canRemember,
      this.#canCancel,
      this.texts,
    ];
    const article = html`<article
      tabindex="-1"
      data-index=${index}
      data-id=${facts.view.id ?? nothing}
      aria-posinset=${index + 1}
      aria-setsize=${this.rowCount}
      aria-label=${this.texts.thread[facts.view.role]}
    >
      ${guard(depends, () => this.renderRow(facts))}
    </article>`;
    return { key, article };
  }

  #latest(): TemplateResult | typeof nothing {
    const isAtEnd = this.#scroll.isAtEnd;
    if (isAtEnd || !this.#isPlaced) this.#seenCount = this.rowCount;
    if (isAtEnd || !this.#isPlaced) return nothing;
    const isNew = this.rowCount > this.#seenCount || this.#shown.live.status === 'running';
    return html`<button class="latest" @click=${() => this.scrollToEnd()}>
      ${isNew ? this.texts.thread.newMessages : this.texts.thread.latest} ${icon('down')}
    </button>`;
  }

  readonly #actions: RowActions = {
    copy: (view) => void this.#copy(view),
    regenerate: (messageId) => void this.tell('utensil-regenerate', { messageId }),
    goOn: (messageId) => void this.tell('utensil-continue', { messageId }),
    edit: (messageId) => (this.editing = messageId),
    send: (messageId, text) => {
      if (this.tell('utensil-edit', { messageId, text })) this.editing = undefined;
    },
    branch: (messageId, to) => void this.tell('utensil-branch', { messageId, to }),
    more: (view) => {
      const key = this.#shown.keyOf(view);
      this.more = new Map(this.more).set(key, (this.more.get(key) ?? 0) + 2 * shownPieces);
    },
  };

  async #copy(view: MessageView): Promise<void> {
    const index = view.id === undefined ? -1 : this.#shown.rows.indexOf(view.id);
    const words = wordsOf(index === -1 ? [view] : turnAt(this.#shown.rows, index));
    const text = await navigator.clipboard.writeText(words).then(
      () => this.texts.thread.copied,
      () => this.texts.thread.notCopied,
    );
    this.said = { key: this.#shown.keyOf(view), text };
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const isOwn = event.target === this.scroller;
    const isTyping = event.target instanceof HTMLTextAreaElement;
    if (isTyping || !(isOwn || event.ctrlKey) || (event.key !== 'Home' && event.key !== 'End')) return;
    event.preventDefault();
    if (event.key === 'End') this.scrollToEnd();
    else this.#scroll.toStart();
  };

  readonly #onAnswer = (event: CustomEvent<AnswerDetail>): void => {
    if (this.run !== undefined) answerRun(this.run, event, () => this.#follow.live);
  };

  readonly #onCancel = (event: CustomEvent<CancelDetail>): void => {
    if (this.run !== undefined) cancelCall(this.run, event);
  };

  #callOf(call: CallView): CallView {
    const tool = this.registry?.get(call.name);
    if (tool === undefined || call.title !== call.name) return call;
    const icons = tool.ui?.icon === undefined ? {} : { icon: tool.ui.icon };
    return { ...icons, ...call, title: tool.title ?? call.title };
  }
}

/** The last user message of a run. */
function askedIn({ messages }: LiveRun): string | undefined {
  return messages.findLast(({ role }) => role === 'user')?.key;
}

/** True for another thread: no message is left of the previous one. */
function isOther(before: ThreadView, now: ThreadView): boolean {
  const last = before.messages.at(-1)?.id;
  return last !== undefined && now !== before && !now.places.has(last) && !now.places.has(before.messages[0]?.id ?? '');
}

register('utensil-thread', UtensilThread);

declare global {
  interface HTMLElementTagNameMap {
    'utensil-thread': UtensilThread;
  }
}
