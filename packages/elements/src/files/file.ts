import { isUtensilError } from '@utensil/core';
import { decodeText, mediaTypeOf, nameOf } from '@utensil/core/files';
import type { FileBytes, Files, FileStat } from '@utensil/core';
import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { register, UtensilElement } from '../base/element.ts';
import { isHarmlessImage } from '../value/harmless.ts';
import { saveFile } from '../value/save.ts';
import { shown, shownStyles } from '../value/shown.ts';
import { editable, storedAs } from './edited-text.ts';
import { fileStyles } from './file-styles.ts';
import type { FilesHistory } from './history.ts';
import { problemText } from './problem.ts';
import { versionsStyles, VersionsController } from './versions.ts';

/** Maximum characters of an editable text. */
const mostEdited = 2_000_000;

/** Relation of a draft to the stored file: the file is unchanged, has changed, or is gone. */
type Standing = 'current' | 'stale' | 'gone';

/** An unsaved text, and the version it was edited from. */
export interface Draft {
  readonly text: string;
  readonly etag: string;
}

type Decoded = NonNullable<ReturnType<typeof decodeText>>;

interface SaveCondition {
  /** True to overwrite changes by others. */
  readonly anyway?: boolean;
}

/** A save in progress. */
interface Save {
  /** Latest text; undefined if it was discarded. */
  newest: Draft | undefined;
  /** Another save, requested in the meantime. */
  next: SaveCondition | undefined;
}

interface Loaded extends FileBytes {
  readonly mediaType: string;
  /** Text being edited. */
  readonly text?: string;
  /** Stored text. */
  readonly decoded?: Decoded;
  /** URL of an image. */
  readonly url?: string;
}

/**
 * `<utensil-file>`: a file with its content and versions. Texts can be edited and are saved only over the version they
 * were edited from.
 *
 * @fires utensil-draft - the text was changed, saved or discarded: `{ path, draft? }`
 */
export class UtensilFile extends UtensilElement {
  static override properties: PropertyDeclarations = {
    files: { attribute: false },
    history: { attribute: false },
    path: { type: String },
    draft: { attribute: false },
    loaded: { state: true },
    isGone: { state: true },
    problem: { state: true },
  };

  static override styles: CSSResultGroup = [UtensilElement.styles, shownStyles, versionsStyles, fileStyles];

  declare files: Files;
  declare history: FilesHistory | undefined;
  declare path: string;
  /** Unsaved text, if any. */
  declare draft: Draft | undefined;
  declare private loaded: Loaded | undefined;
  declare private isGone: boolean | undefined;
  declare private problem: string | undefined;
  readonly #versions = new VersionsController(this);
  #stopWatching: (() => void) | undefined;
  #reading = 0;
  readonly #saves = new Map<string, Save>();

  override connectedCallback(): void {
    super.connectedCallback();
    this.#watch();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopWatching?.();
    this.#reading++; // discards the read in progress
    this.#forget();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('path') && !changed.has('files')) return;
    this.#forget();
    this.isGone = false;
    this.problem = undefined;
    this.#versions.close();
    if (this.isConnected) this.#watch();
  }

  #watch(): void {
    this.#stopWatching?.();
    if (!this.files || !this.path) return;
    this.#stopWatching = this.files.watch(this.path, () => void this.#read());
    void this.#read();
  }

  async #read(): Promise<void> {
    const mine = ++this.#reading;
    const { path } = this;
    try {
      const file = await this.files.read(path);
      if (mine !== this.#reading) return;
      this.#forget();
      this.loaded = loadedOf(file);
      this.isGone = false;
    } catch (error) {
      if (mine !== this.#reading) return;
      this.isGone = isUtensilError(error, 'ENOENT');
      if (this.isGone && this.draft === undefined) this.#forget();
      if (!this.isGone) this.problem = problemText(error, this.texts.files);
    }
  }

  #forget(): void {
    if (this.loaded?.url !== undefined) URL.revokeObjectURL(this.loaded.url);
    this.loaded = undefined;
  }

  #changeDraft(draft: Draft | undefined): void {
    const underWay = this.#saves.get(this.path);
    if (underWay !== undefined) underWay.newest = draft;
    this.#tellDraft(this.path, draft);
  }

  #tellDraft(path: string, draft: Draft | undefined): void {
    if (path === this.path) this.draft = draft;
    this.tell('utensil-draft', { path, ...(draft && { draft }) });
  }

  readonly #input = (event: Event): void => {
    const text = (event.target as HTMLTextAreaElement).value;
    const etag = this.draft?.etag ?? this.loaded?.etag;
    if (etag === undefined) return;
    this.#changeDraft(text === this.loaded?.text ? undefined : { text, etag });
  };

  /** Runs one save of a file at a time; a save requested in the meantime follows with the newest text. */
  async #save(condition: SaveCondition = {}): Promise<void> {
    const { path, draft } = this;
    const underWay = this.#saves.get(path);
    if (underWay !== undefined) underWay.next = condition;
    if (underWay !== undefined || draft === undefined) return;
    const save: Save = { newest: draft, next: undefined };
    this.#saves.set(path, save);
    this.problem = undefined;
    try {
      const { etag } = await this.#write(draft, condition);
      const { newest } = save;
      this.#tellDraft(path, newest === draft || newest === undefined ? undefined : { text: newest.text, etag });
      if (path === this.path) await this.#read();
    } catch (error) {
      if (path === this.path) this.problem = problemText(error, this.texts.files);
    }
    this.#saves.delete(path);
    this.requestUpdate();
    if (save.next !== undefined && path === this.path) await this.#save(save.next);
  }

  #write({ text, etag }: Draft, { anyway = false }: SaveCondition): Promise<FileStat> {
    const { decoded } = this.loaded ?? {};
    const expected = this.isGone ? ({ create: 'must' } as const) : { ifMatch: etag };
    return this.files.write(this.path, decoded === undefined ? text : storedAs(text, decoded), anyway ? {} : expected);
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void this.#save();
  };

  readonly #download = (): void => {
    if (this.loaded === undefined) return;
    saveFile(new Blob([this.loaded.bytes as BlobPart]), nameOf(this.path));
  };

  override render(): TemplateResult {
    const { loaded, draft, problem, texts } = this;
    return html`
      <header>
        <h2>${shown(nameOf(this.path))}</h2>
        <p class="about">
          ${loaded === undefined ? nothing : html`<bdi>${texts.formats.bytes(loaded.size)} · ${texts.formats.time(loaded.modifiedAt)}</bdi>`}
        </p>
        <div class="actions">
          <button @click=${this.#download} ?disabled=${loaded === undefined}>${texts.files.download}</button>
          ${this.history && loaded ? this.#versions.button() : nothing}
        </div>
      </header>
      ${problem === undefined ? nothing : this.#problem(problem)}
      ${draft === undefined ? (this.isGone ? html`<div class="banner bad" role="alert">${texts.files.gone}</div>` : nothing) : this.#unsaved(draft)}
      ${this.#versions.isOpen ? this.#versions.render() : this.#content()}
    `;
  }

  #problem(text: string): TemplateResult {
    return html`<div class="banner bad" role="alert">
      <span>${text}</span>
      <button class="plain" @click=${() => (this.problem = undefined)}>${this.texts.files.dismiss}</button>
    </div>`;
  }

  #unsaved({ etag }: Draft): TemplateResult {
    const { loaded } = this;
    const { files: texts } = this.texts;
    const isSaving = this.#saves.has(this.path); // its own save is not a change by others
    const isStale = loaded !== undefined && etag !== loaded.etag && !isSaving;
    const standing: Standing = this.isGone ? 'gone' : isStale ? 'stale' : 'current';
    const labels = { current: texts.save, stale: texts.saveAnyway, gone: texts.saveNew };
    return html`<div class="banner" role="status">
      <span>${texts.changes[standing]}</span>
      <span class="buttons">
        <button
          class=${standing === 'current' ? 'primary' : ''}
          @click=${() => void this.#save({ anyway: standing === 'stale' })}
        >
          ${labels[standing]}
        </button>
        <button @click=${() => this.#changeDraft(undefined)}>${texts.discard}</button>
      </span>
    </div>`;
  }

  #content(): TemplateResult | typeof nothing {
    const { loaded, draft } = this;
    const { files: texts } = this.texts;
    const text = draft?.text ?? loaded?.text;
    if (text !== undefined && text.length <= mostEdited) {
      return html`<textarea
        class="editor"
        dir="auto"
        aria-label=${texts.textOf(this.path)}
        spellcheck="false"
        .value=${text}
        @input=${this.#input}
        @keydown=${this.#key}
      ></textarea>`;
    }
    if (loaded === undefined) return nothing;
    if (loaded.url !== undefined)
      return html`<div class="image"><img src=${loaded.url} alt=${nameOf(this.path)} /></div>`;
    return html`<p class="about">${text === undefined ? texts.noPreview(loaded.mediaType) : texts.tooLong}</p>`;
  }
}

function loadedOf(file: FileBytes): Loaded {
  const mediaType = mediaTypeOf(file.bytes);
  if (isHarmlessImage(mediaType)) {
    const url = URL.createObjectURL(new Blob([file.bytes as BlobPart], { type: mediaType }));
    return { ...file, mediaType, url };
  }
  const decoded = decodeText(file.bytes);
  if (decoded === undefined) return { ...file, mediaType };
  return { ...file, mediaType, text: editable(decoded.text), decoded };
}

register('utensil-file', UtensilFile);

declare global {
  interface HTMLElementTagNameMap {
    'utensil-file': UtensilFile;
  }
}
