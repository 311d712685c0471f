import { isUtensilError } from '@utensil/core';
import { joinPath, nameOf, parentOf } from '@utensil/core/files';
import { css, html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { register, UtensilElement } from '../base/element.ts';
import { shown, shownStyles } from '../value/shown.ts';
import type { FilesHistory, TrashedFile } from './history.ts';
import { problemText } from './problem.ts';
import { numbered } from './tree.ts';

/** `<utensil-trash>`: removed and replaced entries that can be restored. */
export class UtensilTrash extends UtensilElement {
  static override properties: PropertyDeclarations = {
    history: { attribute: false },
    trashed: { state: true },
    problem: { state: true },
    said: { state: true },
    isBusy: { state: true },
    asks: { state: true },
  };

  static override styles: CSSResultGroup = [
    UtensilElement.styles,
    shownStyles,
    css`
      header,
      li,
      .ask {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 0.5rem;
        align-items: center;
        justify-content: space-between;
      }
      h2 {
        margin: 0;
        font-size: 1rem;
      }
      ul {
        display: grid;
        gap: 0.25rem;
        margin: 0.5rem 0;
        padding: 0;
        list-style: none;
      }
      li {
        padding: 0.25rem 0.5rem;
        border-block-end: 1px solid var(--u-border);
      }
      .about,
      p {
        margin: 0;
        color: var(--u-muted);
        font-size: 0.8125rem;
      }
      .ask {
        margin-block: 0.5rem;
        padding: 0.375rem 0.75rem;
        border: 1px solid var(--u-bad);
        border-radius: var(--u-radius);
      }
      .buttons {
        display: flex;
        gap: 0.375rem;
      }
      .bad {
        color: var(--u-bad);
      }
    `,
  ];

  declare history: FilesHistory;
  declare private trashed: readonly TrashedFile[] | undefined;
  declare private problem: string | undefined;
  declare private said: string;
  declare private isBusy: boolean;
  declare private asks: TrashedFile | 'all' | undefined;
  #asked: EventTarget | null = null;

  constructor() {
    super();
    this.said = '';
    this.isBusy = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('history') && this.history) void this.#attempt(async () => '');
  }

  /** Performs an action, shows the result, and reads the trash again. */
  async #attempt(work: () => Promise<string>): Promise<void> {
    this.isBusy = true;
    this.problem = this.asks = undefined;
    try {
      this.said = await work();
    } catch (error) {
      this.problem = problemText(error, this.texts.files);
    }
    try {
      this.trashed = (await this.history.trash()).toReversed();
    } catch (error) {
      this.problem = problemText(error, this.texts.files);
    }
    this.isBusy = false;
  }

  async #ask(what: TrashedFile | 'all', { currentTarget }: Event): Promise<void> {
    this.asks = what;
    this.#asked = currentTarget;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('.keep')?.focus();
  }

  #keep(): void {
    this.asks = undefined;
    if (this.#asked instanceof HTMLElement) this.#asked.focus();
  }

  /** Restores to the original path, or to a free one next to it. */
  async #restore({ id, path }: TrashedFile): Promise<string> {
    for (let number = 1; ; number++) {
      const to = number === 1 ? path : joinPath(parentOf(path), numbered(nameOf(path), number));
      try {
        const restored = await this.history.restore(id, number === 1 ? {} : { to });
        const { files: texts } = this.texts;
        return restored.path === path ? texts.restored(path) : texts.restoredAs(path, restored.path);
      } catch (error) {
        if (!isUtensilError(error, 'EEXIST') || number === 99) throw error;
      }
    }
  }

  async #purge(what: TrashedFile | 'all'): Promise<string> {
    await this.history.purge(what === 'all' ? undefined : what.id);
    return what === 'all' ? this.texts.files.emptied : this.texts.files.purged(what.path);
  }

  async #compact(): Promise<string> {
    const { versions, trashed } = await this.history.compact();
    const { files: texts } = this.texts;
    return versions + trashed === 0 ? texts.nothingOld : texts.tidied(versions, trashed);
  }

  override render(): TemplateResult {
    const { trashed, problem, said, isBusy, asks } = this;
    const { files: texts } = this.texts;
    return html`
      <header>
        <h2>${texts.trash}</h2>
        <span class="buttons">
          <button ?disabled=${isBusy} @click=${() => void this.#attempt(() => this.#compact())}>${texts.tidyUp}</button>
          <button ?disabled=${isBusy || !trashed?.length} @click=${(event: Event) => void this.#ask('all', event)}>
            ${texts.emptyTrash}
          </button>
        </span>
      </header>
      <p role="status">${isBusy ? texts.working : said}</p>
      ${problem === undefined ? nothing : html`<p role="alert" class="bad">${problem}</p>`}
      ${asks === undefined ? nothing : this.#question(asks)}
      ${trashed?.length === 0 ? html`<p>${texts.trashEmpty}</p>` : nothing}
      <ul aria-label=${texts.trashLabel}>
        ${trashed?.map((each) => this.#line(each))}
      </ul>
    `;
  }

  #question(what: TrashedFile | 'all'): TemplateResult {
    const { files: texts } = this.texts;
    return html`<div
      class="ask"
      role="alertdialog"
      aria-label=${texts.purge}
      aria-describedby="goes"
      @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && this.#keep()}
    >
      <span id="goes">${what === 'all' ? texts.purgeAskAll : shown(texts.purgeAsk(what.path))}</span>
      <span class="buttons">
        <button @click=${() => void this.#attempt(() => this.#purge(what))}>${texts.purge}</button>
        <button class="keep" @click=${() => this.#keep()}>${texts.keep}</button>
      </span>
    </div>`;
  }

  #when({ kind, reason, removedAt }: TrashedFile): string {
    const { files: texts, formats } = this.texts;
    const time = formats.time(removedAt);
    if (kind === 'versions') return texts.trashedVersions(time);
    if (reason !== 'removed') return texts.replaced(time);
    return kind === 'directory' ? texts.trashedFolder(time) : texts.trashedFile(time);
  }

  #line(trashed: TrashedFile): TemplateResult {
    const { path, author } = trashed;
    const { files: texts } = this.texts;
    return html`<li>
      <span>
        ${shown(path)}
        <span class="about"
          >${this.#when(trashed)} ${author?.actor === undefined ? nothing : shown(texts.by(author.actor))}</span
        >
      </span>
      <span class="buttons">
        <button
          aria-label=${texts.restoreOf(path)}
          ?disabled=${this.isBusy}
          @click=${() => void this.#attempt(() => this.#restore(trashed))}
        >
          ${texts.restore}
        </button>
        <button
          aria-label=${texts.purgeOf(path)}
          ?disabled=${this.isBusy}
          @click=${(event: Event) => void this.#ask(trashed, event)}
        >
          ${texts.purge}
        </button>
      </span>
    </li>`;
  }
}

register('utensil-trash', UtensilTrash);

declare global {
  interface HTMLElementTagNameMap {
    'utensil-trash': UtensilTrash;
  }
}
