import { isWithin, nameOf } from '@utensil/core/files';
import type { FileEntry, Files } from '@utensil/core';
import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { register, UtensilElement } from '../base/element.ts';
import { saveFile } from '../value/save.ts';
import { shown, shownStyles } from '../value/shown.ts';
import { directoryOf, exported, submitForm, textOfForm, upload } from './actions.ts';
import type { PathForm } from './actions.ts';
import { movedDrafts, unsavedList, withDraft } from './drafts.ts';
import type { Drafts } from './drafts.ts';
import './file.ts';
import type { Draft } from './file.ts';
import type { FilesHistory } from './history.ts';
import { importProject } from './import-project.ts';
import { Listing } from './listing.ts';
import { message, pathForm } from './parts.ts';
import type { Said } from './parts.ts';
import { problemText } from './problem.ts';
import { filesStyles } from './styles.ts';
import { toolbar } from './toolbar.ts';
import './trash.ts';
import { mirrored, moveBy } from './tree.ts';
import type { TreeRow } from './tree.ts';
import { treeView } from './tree-view.ts';

export type { Draft as FileDraft } from './file.ts';

/**
 * `<utensil-files>`: the files of a project: tree, viewer, editor, versions, trash, upload, download, export and
 * import. Unsaved texts survive while other files are viewed. To persist them, a page stores the details of
 * `utensil-draft` and passes them back as `drafts`.
 *
 * @fires utensil-select - another file or folder was selected: `{ path }`
 * @fires utensil-draft - a text was changed, saved or discarded: `{ path, draft? }`
 */
export class UtensilFiles extends UtensilElement {
  static override properties: PropertyDeclarations = {
    files: { attribute: false },
    history: { attribute: false },
    path: { type: String, reflect: true },
    drafts: { attribute: false },
    keepsDrafts: { type: Boolean, attribute: 'keeps-drafts' },
    focused: { state: true },
    view: { state: true },
    form: { state: true },
    said: { state: true },
    top: { state: true },
    treeHeight: { state: true },
  };

  static override styles: CSSResultGroup = [UtensilElement.styles, shownStyles, filesStyles];

  declare files: Files;
  /** History of a versioned storage; without it, versions and trash are hidden. */
  declare history: FilesHistory | undefined;
  /** Selected path. */
  declare path: string | undefined;
  /** Unsaved texts by path, from the details of `utensil-draft`. */
  declare drafts: Drafts;
  /** True if the page stores the details of `utensil-draft`, so that leaving it causes no warning. Default: false. */
  declare keepsDrafts: boolean;
  declare private focused: string | undefined;
  declare private view: 'file' | 'trash' | 'tree';
  declare private form: PathForm | undefined;
  declare private said: Said | undefined;
  declare private top: number;
  declare private treeHeight: number;
  readonly #draftsOf = new WeakMap<Files, Drafts>();
  readonly #listing = new Listing(this);
  #sizes: ResizeObserver | undefined;

  constructor() {
    super();
    this.drafts = new Map();
    this.keepsDrafts = false;
    this.view = 'tree';
    this.top = 0;
    this.treeHeight = 600;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('beforeunload', this.#warn);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes?.disconnect();
    this.#sizes = undefined;
    removeEventListener('beforeunload', this.#warn);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('files')) this.#change(changed.get('files') as Files | undefined, changed);
    if (changed.has('path') && this.path !== undefined) void this.#reveal(this.path);
  }

  protected override updated(): void {
    const scroll = this.renderRoot.querySelector('.scroll');
    if (scroll === null || this.#sizes !== undefined) return;
    this.#sizes = new ResizeObserver(() => requestAnimationFrame(() => (this.treeHeight = scroll.clientHeight || 600)));
    this.#sizes.observe(scroll);
  }

  readonly #warn = (event: BeforeUnloadEvent): void => {
    if (this.drafts.size > 0 && !this.keepsDrafts) event.preventDefault();
  };

  /** Resets all state for other files, except drafts, which stay for the return of the previous files. */
  #change(before: Files | undefined, changed: PropertyValues): void {
    if (before !== undefined) {
      const isGiven = changed.has('drafts');
      this.#draftsOf.set(before, isGiven ? (changed.get('drafts') as Drafts) : this.drafts);
      if (!isGiven) this.drafts = this.#draftsOf.get(this.files) ?? new Map();
      this.#listing.clear();
      this.form = this.said = undefined;
    }
    this.#listing.watch();
  }

  listingFailed(error: unknown): void {
    this.said = { text: problemText(error, this.texts.files), isBad: true };
  }

  async #reveal(path: string): Promise<void> {
    this.focused = path;
    await this.#listing.reveal(path);
  }

  #select(path: string): void {
    this.path = path;
    this.focused = path;
    this.view = this.#listing.entryOf(path)?.kind === 'directory' ? 'tree' : 'file';
    this.tell('utensil-select', { path });
  }

  readonly #choose = ({ entry, isOpen }: TreeRow): void => {
    if (entry.kind === 'directory') this.#listing.toggle(entry.path, !isOpen);
    this.#select(entry.path);
  };

  readonly #key = (event: KeyboardEvent): void => {
    const { rows } = this.#listing;
    const row = rows.find(({ entry }) => entry.path === this.focused) ?? rows[0];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = this.matches(':dir(rtl)') ? (mirrored[event.key] ?? event.key) : event.key;
    if (event.key === 'Enter' || event.key === ' ') this.#choose(row);
    else if (event.key === 'Delete') void this.#remove(row.entry);
    else if (event.key === 'F2') this.#ask({ kind: 'move', from: row.entry.path, value: row.entry.path });
    else {
      const move = moveBy(key, rows, row.entry.path);
      if (move === undefined) return;
      if ('to' in move) void this.#focus(move.to);
      else if ('open' in move) this.#listing.toggle(move.open, true);
      else this.#listing.toggle(move.close, false);
    }
    event.preventDefault();
  };

  async #focus(path: string): Promise<void> {
    this.focused = path;
    await this.updateComplete;
    const line = this.renderRoot.querySelector<HTMLElement>('.row[tabindex="0"]');
    line?.focus();
    line?.scrollIntoView({ block: 'nearest' });
  }

  readonly #scroll = (event: Event): void => {
    this.top = (event.target as HTMLElement).scrollTop;
  };

  readonly #draft = ({ detail: { path, draft } }: CustomEvent<{ path: string; draft?: Draft }>): void => {
    this.drafts = withDraft(this.drafts, path, draft);
  };

  /** Moves drafts along with their files. */
  #moveDrafts(from: string, to: string): void {
    for (const [before, after] of movedDrafts(this.drafts, from, to)) {
      const draft = this.drafts.get(before);
      this.drafts = withDraft(withDraft(this.drafts, before, undefined), after, draft);
      this.tell('utensil-draft', { path: before });
      this.tell('utensil-draft', { path: after, draft });
    }
  }

  /** Performs an action and shows its result or the problem. */
  async #attempt(work: () => Promise<string | Said>, meanwhile?: string): Promise<void> {
    this.said = meanwhile === undefined ? undefined : { text: meanwhile, isBad: false };
    try {
      const said = await work();
      this.said = typeof said === 'string' ? { text: said, isBad: false } : said;
    } catch (error) {
      this.said = { text: problemText(error, this.texts.files), isBad: true };
    }
  }

  #ask(form: PathForm): void {
    this.form = form;
    this.said = undefined;
    void this.updateComplete.then(() => {
      const input = this.renderRoot.querySelector<HTMLInputElement>('#path');
      input?.focus();
      input?.select();
    });
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    const { form } = this;
    if (form === undefined) return;
    void this.#attempt(async () => {
      const path = await submitForm(this.files, form);
      if (form.kind === 'move' && form.from !== undefined) this.#moveDrafts(form.from, path);
      this.form = undefined;
      await this.#reveal(path);
      this.#select(path);
      return this.texts.files[textOfForm[form.kind]](path);
    });
  };

  #remove({ path, kind }: FileEntry): Promise<void> {
    const { files: texts } = this.texts;
    return this.#attempt(async () => {
      const remove = async (): Promise<string> => {
        await this.files.remove(path, { recursive: kind === 'directory' });
        if (this.path !== undefined && isWithin(path, this.path)) this.path = undefined;
        return this.history === undefined ? texts.removed(path) : texts.trashed(path);
      };
      const how = this.history === undefined ? texts.forGood : texts.toTrash;
      const what = kind === 'directory' ? texts.removeFolder(path) : texts.removeFile(path);
      return { text: `${what} ${how}`, isBad: false, choices: [{ label: texts.remove, act: remove }] };
    });
  }

  readonly #uploaded = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const given = [...(input.files ?? [])];
    input.value = '';
    void this.#attempt(() => this.#upload(given));
  };

  readonly #dropped = (event: DragEvent): void => {
    const given = [...(event.dataTransfer?.files ?? [])];
    if (given.length === 0) return;
    event.preventDefault();
    void this.#attempt(() => this.#upload(given));
  };

  async #upload(given: readonly File[]): Promise<string> {
    const entry = this.#listing.entryOf(this.path);
    const paths = await upload(this.files, directoryOf(this.path, entry?.kind === 'directory'), given);
    const [path = ''] = paths;
    return paths.length === 1 ? this.texts.files.created(path) : this.texts.files.uploaded(paths.length);
  }

  async #export(): Promise<string> {
    const name = 'project.utensil.json';
    saveFile(await exported(this.files), name);
    return this.texts.files.exported(name);
  }

  readonly #bundle = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const [bundle] = input.files ?? [];
    input.value = '';
    if (bundle === undefined) return;
    const { files: texts } = this.texts;
    void this.#attempt(() => importProject(this.files, bundle, texts), texts.importing(bundle.name));
  };

  override render(): TemplateResult {
    const { rows } = this.#listing;
    const entry = this.#listing.entryOf(this.path);
    const { files: texts } = this.texts;
    return html`<div
      class=${`frame ${this.view}`}
      @dragover=${(event: Event) => event.preventDefault()}
      @drop=${this.#dropped}
    >
      <section class="side" aria-label=${texts.side}>
        ${this.#toolbar(entry)}
        ${this.form === undefined ? nothing : pathForm(this.form, { texts, change: (form) => (this.form = form), submit: this.#submit })}
        ${this.said === undefined ? nothing : message(this.said, { texts, act: (work) => void this.#attempt(work), dismiss: () => (this.said = undefined) })}
        ${this.#listing.isEmpty ? html`<p class="about">${texts.empty}</p>` : nothing}
        ${unsavedList(this.#hiddenDrafts(rows), texts, (path) => this.#select(path))}
        ${treeView({
          texts,
          rows,
          selected: this.path,
          focused: this.focused,
          unsaved: new Set(this.drafts.keys()),
          top: this.top,
          height: this.treeHeight,
          scroll: this.#scroll,
          key: this.#key,
          choose: this.#choose,
        })}
      </section>
      <section class="pane" aria-label=${this.view === 'trash' ? texts.trash : texts.selected}>
        <button class="back" @click=${() => (this.view = 'tree')}>${texts.allFiles}</button>
        ${this.#pane(entry)}
      </section>
    </div>`;
  }

  #hiddenDrafts(rows: readonly TreeRow[]): readonly string[] {
    if (this.drafts.size === 0) return [];
    const seen = new Set(rows.map(({ entry }) => entry.path));
    return [...this.drafts.keys()].filter((path) => !seen.has(path));
  }

  #pane(entry: FileEntry | undefined): TemplateResult {
    if (this.view === 'trash' && this.history) return html`<utensil-trash .history=${this.history}></utensil-trash>`;
    const { path } = this;
    const { files: texts } = this.texts;
    const isFile = path !== undefined && (entry === undefined ? this.drafts.has(path) : entry.kind === 'file');
    if (!isFile)
      return html`<p class="about">
        ${entry === undefined ? texts.choose : shown(texts.isFolder(nameOf(entry.path)))}
      </p>`;
    return html`<utensil-file
      .files=${this.files}
      .history=${this.history}
      .path=${path}
      .draft=${this.drafts.get(path)}
      @utensil-draft=${this.#draft}
    ></utensil-file>`;
  }

  #toolbar(entry: FileEntry | undefined): TemplateResult {
    return toolbar({
      texts: this.texts.files,
      entry,
      directory: directoryOf(this.path, entry?.kind === 'directory'),
      trash: this.history === undefined ? undefined : this.view === 'trash',
      ask: (form) => this.#ask(form),
      remove: (removed) => void this.#remove(removed),
      upload: this.#uploaded,
      save: () => void this.#attempt(() => this.#export()),
      bring: this.#bundle,
      toggleTrash: () => (this.view = this.view === 'trash' ? 'tree' : 'trash'),
    });
  }
}

register('utensil-files', UtensilFiles);

declare global {
  interface HTMLElementTagNameMap {
    'utensil-files': UtensilFiles;
  }
}
