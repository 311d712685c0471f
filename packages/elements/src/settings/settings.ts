import { emptySettings, messageOf } from '@utensil/core';
import { unseenTools, withSeen } from '@utensil/core/settings';
import type { Host, Registry, Settings, SettingsStore, Tool } from '@utensil/core';
import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { register, UtensilElement } from '../base/element.ts';
import { Watch } from '../base/watch.ts';
import { iconStyles } from '../value/icons.ts';
import { shownStyles } from '../value/shown.ts';
import { grantList, grantStyles } from './grant-list.ts';
import { groupSection, toolList } from './group.ts';
import { foundAmong, groupsOf } from './groups.ts';
import type { ToolGroup } from './groups.ts';
import { message, storageAdvice } from './message.ts';
import { UtensilModelList } from './model-list.ts';
import { reasonsFor } from './reasons.ts';
import { UtensilSecret } from './secret.ts';
import type { SecretStore } from './secret.ts';
import { settingsStyles } from './styles.ts';
import type { ModelSource, SettingsView } from './view.ts';

const manyTools = 12;
const shownAtOnce = 50;

/**
 * `<utensil-settings>`: the tools of an app with their options, generated from the tools' own definitions. The
 * attribute `compact` shows only the switches, for a popover next to a message.
 */
export class UtensilSettings extends UtensilElement {
  static override properties: PropertyDeclarations = {
    registry: { attribute: false },
    settings: { attribute: false },
    host: { attribute: false },
    models: { attribute: false },
    secrets: { attribute: false },
    compact: { type: Boolean, reflect: true },
    busy: { type: Boolean, reflect: true },
    headingLevel: { type: Number, attribute: 'heading-level' },
    search: { state: true },
  };

  static override styles: CSSResultGroup = [
    UtensilElement.styles,
    iconStyles,
    shownStyles,
    settingsStyles,
    grantStyles,
  ];

  declare registry: Registry | undefined;
  declare settings: SettingsStore | undefined;
  /** Host of the app, to show why a tool is unavailable. Absent: not checked. */
  declare host: Host | undefined;
  /** Models to choose from. Default: those of the host. */
  declare models: ModelSource | undefined;
  /** Storage of secrets. They are written, and never shown. */
  declare secrets: SecretStore | undefined;
  /** Shows only switches. */
  declare compact: boolean;
  /** Disables all changes. */
  declare busy: boolean;
  /** Level of the category headings. */
  declare headingLevel: number;
  declare search: string;

  readonly #open = new Map<string, boolean>();
  readonly #shown = new Map<string, number>();
  readonly #drafts = new Map<string, string>();
  readonly #new = new Set<string>();
  readonly #told = new Set<string>();
  #reason: ReturnType<typeof reasonsFor> | undefined;
  #groups: { readonly of: readonly Tool[]; readonly groups: readonly ToolGroup[] } = { of: [], groups: [] };
  #dismissed: unknown;
  readonly #leave = (): void => void this.store();

  constructor() {
    super();
    this.compact = false;
    this.busy = false;
    this.headingLevel = 2;
    this.search = '';
    void new Watch(this, () => [this.registry, this.settings]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('pagehide', this.#leave);
    document.addEventListener('visibilitychange', this.#leave);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('pagehide', this.#leave);
    document.removeEventListener('visibilitychange', this.#leave);
    this.#leave();
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('settings')) this.#new.clear();
    for (const { name } of this.#unseen()) this.#new.add(name); // stays marked while the page is open
    if (changed.has('host')) this.#reason = this.host && reasonsFor(this.host);
  }

  override updated(): void {
    const isFirst = this.settings?.current().seen === undefined;
    const shown = this.#listed().filter(
      ({ name }) => !this.#told.has(name) && (isFirst || this.renderRoot.querySelector(`#tool-${name}`) !== null),
    );
    if (shown.length === 0 || !this.settings) return;
    for (const { name } of shown) this.#told.add(name);
    const { settings } = this;
    queueMicrotask(() => settings.change((all) => withSeen(all, shown))); // not during an update
  }

  #unseen(): readonly Tool[] {
    return this.settings ? unseenTools(this.settings.current(), this.#listed()) : [];
  }

  /** Stores pending changes at once. Never throws: errors are shown. */
  async store(): Promise<void> {
    await this.settings?.flush().catch(() => {}); // shown through `problem`
  }

  override render(): TemplateResult {
    const tools = this.#listed();
    const settings = this.settings?.current() ?? emptySettings;
    const view = this.#view(settings);
    return html`${this.#messages()}${tools.length > manyTools ? this.#searchField(tools) : nothing}
    ${tools.length === 0 ? html`<p class="empty">${this.texts.settings.none}</p>` : this.#groupsFor(tools).map((group) => this.#group(group, view))}
    ${this.compact ? nothing : grantList((name) => this.registry?.get(name), view)}`;
  }

  #listed(): readonly Tool[] {
    const all = this.registry?.snapshot() ?? [];
    if (this.#groups.of !== all)
      this.#groups = { of: all, groups: groupsOf(all.filter(({ internal }) => internal !== true)) };
    return this.#groups.groups.flatMap(({ tools }) => tools);
  }

  #groupsFor(tools: readonly Tool[]): readonly ToolGroup[] {
    const found = new Set(foundAmong(tools, this.search));
    return this.#groups.groups.filter((group) => group.tools.some((tool) => found.has(tool)));
  }

  #group(group: ToolGroup, view: SettingsView): TemplateResult {
    const key = group.category === undefined ? 'group' : `group ${group.category}`;
    const isMany = this.#listed().length > manyTools;
    const isSearch = this.search.trim() !== '';
    const state = {
      domId: `group-${this.#groups.groups.indexOf(group)}`,
      isOpen: isSearch || view.isOpen(key, !isMany),
      found: foundAmong(group.tools, this.search),
      shown: this.#shown.get(key) ?? shownAtOnce,
      headingLevel: this.headingLevel,
      more: (): void => {
        this.#shown.set(key, (this.#shown.get(key) ?? shownAtOnce) + 2 * shownAtOnce);
        this.requestUpdate();
      },
      toggle: (): void => view.setOpen(key, !view.isOpen(key, !isMany)),
    };
    const isAlone = group.category === undefined && this.#groups.groups.length === 1;
    return isAlone ? html`<div class="flat">${toolList(state, view)}</div>` : groupSection(group, state, view);
  }

  #searchField(tools: readonly Tool[]): TemplateResult {
    const words = this.search.trim() === '' ? '' : this.texts.settings.found(foundAmong(tools, this.search).length);
    return html`<div class="search">
      <input
        type="search"
        aria-label=${this.texts.settings.search}
        placeholder=${this.texts.settings.search}
        .value=${this.search}
        @input=${(event: Event) => (this.search = (event.target as HTMLInputElement).value)}
      />
      <span class="about" role="status">${words}</span>
    </div>`;
  }

  #messages(): TemplateResult | typeof nothing {
    const problem = this.settings?.problem;
    const texts = this.texts.settings;
    if (problem === undefined || problem === this.#dismissed) return nothing;
    const dismiss = (): void => {
      this.#dismissed = problem;
      this.requestUpdate();
    };
    if (problem.code !== 'settings_unsaved') return message({ texts, text: problem.message, dismiss });
    const [title, text, detail] = [texts.notStored, storageAdvice(problem, texts), messageOf(problem.cause)];
    return message({ texts, title, text, detail, dismiss, retry: () => void this.store() });
  }

  #view(settings: Settings): SettingsView {
    return {
      texts: this.texts.settings,
      formats: this.texts.formats,
      settings,
      models: this.models ?? (this.host?.['models'] as ModelSource | undefined),
      secrets: this.secrets,
      isCompact: this.compact,
      isBusy: this.busy,
      drafts: this.#drafts,
      isOpen: (key, initially) => this.#open.get(key) ?? initially,
      setOpen: (key, isOpen) => {
        this.#open.set(key, isOpen);
        this.requestUpdate();
      },
      isNew: ({ name }) => this.#new.has(name),
      reason: (tool) => this.#reason?.(tool, settings),
      change: (change) => void this.settings?.change(change),
      redraw: () => this.requestUpdate(),
    };
  }
}

register('utensil-settings', UtensilSettings);
register('utensil-model-list', UtensilModelList);
register('utensil-secret', UtensilSecret);

declare global {
  interface HTMLElementTagNameMap {
    'utensil-settings': UtensilSettings;
  }
}
