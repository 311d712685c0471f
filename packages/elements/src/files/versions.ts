import { decodeText } from '@utensil/core/files';
import type { Files } from '@utensil/core';
import { css, html, nothing } from 'lit';
import type { CSSResult, ReactiveControllerHost, TemplateResult } from 'lit';
import '../diff/diff.ts';
import type { Texts } from '../texts/texts.ts';
import { shown } from '../value/shown.ts';
import type { FilesHistory, FileVersion } from './history.ts';
import { problemText } from './problem.ts';

/** Requirements on the host element. */
export interface VersionsHost extends ReactiveControllerHost {
  readonly texts: Texts;
  readonly files: Files;
  readonly history: FilesHistory | undefined;
  readonly path: string;
}

interface Comparison {
  readonly version: FileVersion;
  /** Undefined for the current content. */
  readonly against: FileVersion | undefined;
  /** Absent if one of them is not text. */
  readonly texts?: { readonly oldText: string; readonly newText: string };
}

/** Versions of a file: their contents, comparisons, and restoring. */
export class VersionsController {
  readonly #host: VersionsHost;
  #versions: readonly FileVersion[] | undefined;
  #comparison: Comparison | undefined;
  #problem: string | undefined;
  #said = '';

  constructor(host: VersionsHost) {
    this.#host = host;
  }

  get #texts(): Texts['files'] {
    return this.#host.texts.files;
  }

  get isOpen(): boolean {
    return this.#versions !== undefined || this.#problem !== undefined;
  }

  close(): void {
    this.#versions = this.#comparison = this.#problem = undefined;
    this.#said = '';
  }

  button(): TemplateResult {
    return html`<button aria-expanded=${this.isOpen ? 'true' : 'false'} @click=${() => this.#toggle()}>
      ${this.#texts.versions}
    </button>`;
  }

  #toggle(): void {
    if (this.isOpen) this.close();
    else void this.#attempt(() => this.#load());
    this.#host.requestUpdate();
  }

  async #load(): Promise<void> {
    const versions = (await this.#host.history?.versions(this.#host.path)) ?? [];
    this.#versions = versions.toReversed();
    const before = this.#versions.find(({ id, isErased }) => id !== 'current' && isErased !== true);
    if (before !== undefined) await this.#compare(before, undefined);
  }

  async #compare(version: FileVersion, against: FileVersion | undefined): Promise<void> {
    const [oldText, newText] = await Promise.all([this.#textOf(version), this.#textOf(against)]);
    const isText = oldText !== undefined && newText !== undefined;
    this.#comparison = { version, against, ...(isText && { texts: { oldText, newText } }) };
  }

  async #textOf(version: FileVersion | undefined): Promise<string | undefined> {
    const { files, history, path } = this.#host;
    const { bytes } =
      version === undefined || version.id === 'current'
        ? await files.read(path)
        : ((await history?.read(path, version.id)) ?? (await files.read(path)));
    return decodeText(bytes)?.text;
  }

  async #rollBack(version: FileVersion): Promise<void> {
    await this.#host.history?.rollBack(this.#host.path, version.id);
    await this.#load();
    this.#said = this.#texts.rolledBack(version.number);
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.#problem = undefined;
    this.#said = '';
    try {
      await work();
    } catch (error) {
      this.#problem = problemText(error, this.#texts);
    }
    this.#host.requestUpdate();
  }

  render(): TemplateResult {
    const versions = this.#versions ?? [];
    return html`
      <p role="status" class="about">${this.#said}</p>
      ${this.#problem === undefined ? nothing : html`<p role="alert" class="bad">${this.#problem}</p>`}
      ${versions.length < 2 ? html`<p class="about">${this.#texts.noVersions}</p>` : nothing}
      <ol class="versions" aria-label=${this.#texts.versionsLabel} reversed>
        ${versions.map((version) => this.#line(version))}
      </ol>
      ${this.#comparison === undefined ? nothing : this.#difference(this.#comparison, versions)}
    `;
  }

  #line(version: FileVersion): TemplateResult {
    const { number, id, size, modifiedAt, author, isErased } = version;
    const isShown = this.#comparison?.version.id === id;
    const { files: texts, formats } = this.#host.texts;
    const about = html`${formats.time(modifiedAt)} ·
    ${formats.bytes(size)}${author?.actor === undefined ? nothing : html` · ${shown(author.actor)}`}`;
    if (id === 'current')
      return html`<li>
        <span><strong>${texts.currentVersion(number)}</strong> <span class="about">${about}</span></span>
      </li>`;
    return html`<li aria-current=${isShown ? 'true' : nothing}>
      <span
        ><strong>${texts.version(number)}</strong>
        <span class="about">${about}${isErased === true ? ` · ${texts.erased}` : ''}</span></span
      >
      ${
        isErased === true
          ? nothing
          : html`<span class="buttons">
              <button
                aria-label=${texts.compareOf(number)}
                @click=${() => void this.#attempt(() => this.#compare(version, undefined))}
              >
                ${texts.compare}
              </button>
              <button
                aria-label=${texts.rollBackOf(number)}
                @click=${() => void this.#attempt(() => this.#rollBack(version))}
              >
                ${texts.rollBack}
              </button>
            </span>`
      }
    </li>`;
  }

  #difference({ version, against, texts: compared }: Comparison, versions: readonly FileVersion[]): TemplateResult {
    const texts = this.#texts;
    const others = versions.filter(({ id, isErased }) => id !== version.id && isErased !== true);
    const choose = (event: Event): void => {
      const { value } = event.target as HTMLSelectElement;
      void this.#attempt(() =>
        this.#compare(
          version,
          versions.find(({ id }) => id === value),
        ),
      );
    };
    return html`<p class="compare">
        <label for="against">${texts.compareFrom(version.number)}</label>
        <select id="against" @change=${choose}>
          ${others.map(({ id, number }) => html`<option value=${id} ?selected=${id === (against?.id ?? 'current')}>${id === 'current' ? texts.currentVersion(number) : texts.version(number)}</option>`)}
        </select>
      </p>
      ${
        compared === undefined
          ? html`<p class="about">${texts.noDifference}</p>`
          : html`<utensil-diff
              .oldText=${compared.oldText}
              .newText=${compared.newText}
              label=${texts.changesSince(version.number)}
            ></utensil-diff>`
      }`;
  }
}

/** Styles of versions. */
export const versionsStyles: CSSResult = css`
  .versions {
    display: grid;
    gap: 0.25rem;
    max-block-size: 16rem;
    margin: 0;
    padding: 0;
    overflow: auto;
    list-style: none;
  }
  .versions li {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.5rem;
    align-items: center;
    justify-content: space-between;
    padding: 0.25rem 0.5rem;
    border-radius: var(--u-radius);
  }
  .versions li[aria-current] {
    background: var(--u-surface);
  }
  .compare {
    display: flex;
    gap: 0.5rem;
    align-items: center;
    margin: 0;
  }
  .bad {
    margin: 0;
    color: var(--u-bad);
  }
`;
