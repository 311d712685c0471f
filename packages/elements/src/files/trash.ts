import { isUtensilError, joinPath, nameOf, parentOf } from '@utensil/core';
import { css, html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { register, UtensilElement } from '../base/element.ts';
import { shown, shownStyles } from '../value/shown.ts';
import type { FilesHistory, TrashedFile } from './history.ts';
import { problemText, timeText } from './texts.ts';
import { numbered } from './tree.ts';

const kinds: Readonly<Record<TrashedFile['kind'], string>> = {
  file: '',
  directory: 'folder, ',
  versions: 'only its versions: another program removed the file, ',
};

/** What was removed or replaced, and the way back: `<utensil-trash>`. */
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

  /** Does something, says what came of it, and reads the trash again. */
  async #attempt(work: () => Promise<string>): Promise<void> {
    this.isBusy = true;
    this.problem = this.asks = undefined;
    try {
      this.said = await work();
    } catch (error) {
      this.problem = problemText(error);
    }
    try {
      this.trashed = (await this.history.trash()).toReversed();
    } catch (error) {
      this.problem = problemText(error);
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

  /** To where it was, or beside what is there now. */
  async #restore({ id, path }: TrashedFile): Promise<string> {
    for (let number = 1; ; number++) {
      const to = number === 1 ? path : joinPath(parentOf(path), numbered(nameOf(path), number));
      try {
        const restored = await this.history.restore(id, number === 1 ? {} : { to });
        return restored.path === path
          ? `${path} is back.`
          : `Something else is at ${path}: it is back as ${restored.path}.`;
      } catch (error) {
        if (!isUtensilError(error, 'EEXIST') || number === 99) throw error;
      }
    }
  }

  async #purge(what: TrashedFile | 'all'): Promise<string> {
    await this.history.purge(what === 'all' ? undefined : what.id);
    return what === 'all' ? 'The trash is empty.' : `${what.path} is gone for good.`;
  }

  async #compact(): Promise<string> {
    const { versions, trashed } = await this.history.compact();
    return versions + trashed === 0
      ? 'There was nothing too old to keep.'
      : `Dropped what was too old: ${versions} versions, and ${trashed} from the trash.`;
  }

  override render(): TemplateResult {
    const { trashed, problem, said, isBusy, asks } = this;
    return html`
      <header>
        <h2>Trash</h2>
        <span class="buttons">
          <button ?disabled=${isBusy} @click=${() => void this.#attempt(() => this.#compact())}>Tidy up</button>
          <button ?disabled=${isBusy || !trashed?.length} @click=${(event: Event) => void this.#ask('all', event)}>
            Empty the trash
          </button>
        </span>
      </header>
      <p role="status">${isBusy ? 'Working…' : said}</p>
      ${problem === undefined ? nothing : html`<p role="alert" class="bad">${problem}</p>`}
      ${asks === undefined ? nothing : this.#question(asks)}
      ${trashed?.length === 0 ? html`<p>Nothing is in the trash.</p>` : nothing}
      <ul aria-label="In the trash, newest first">
        ${trashed?.map((each) => this.#line(each))}
      </ul>
    `;
  }

  #question(what: TrashedFile | 'all'): TemplateResult {
    return html`<div
      class="ask"
      role="alertdialog"
      aria-label="Remove for good"
      aria-describedby="goes"
      @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && this.#keep()}
    >
      <span id="goes"
        >${what === 'all' ? 'Everything in the trash' : shown(what.path)} will be gone for good, with all its
        versions.</span
      >
      <span class="buttons">
        <button @click=${() => void this.#attempt(() => this.#purge(what))}>Remove for good</button>
        <button class="keep" @click=${() => this.#keep()}>Keep</button>
      </span>
    </div>`;
  }

  #line(trashed: TrashedFile): TemplateResult {
    const { path, kind, reason, removedAt, author } = trashed;
    const what = reason === 'removed' ? 'removed' : 'replaced';
    return html`<li>
      <span>
        ${shown(path)}
        <span class="about"
          >${kinds[kind]}${what}
          ${timeText(removedAt)}${author?.actor === undefined ? nothing : html` by ${shown(author.actor)}`}</span
        >
      </span>
      <span class="buttons">
        <button
          aria-label=${`Restore ${path}`}
          ?disabled=${this.isBusy}
          @click=${() => void this.#attempt(() => this.#restore(trashed))}
        >
          Restore
        </button>
        <button
          aria-label=${`Remove ${path} for good`}
          ?disabled=${this.isBusy}
          @click=${(event: Event) => void this.#ask(trashed, event)}
        >
          Remove
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
