import { createRegistry, emptySettings, messageOf, resolveToolset } from '@utensil/core';
import type { ListedRule, SettingsRules } from '@utensil/core/guard';
import type { Host, Registry, SettingsStore, Tool } from '@utensil/core';
import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { register, UtensilElement } from '../base/element.ts';
import { Watch } from '../base/watch.ts';
import { grantList, grantStyles } from '../settings/grant-list.ts';
import { message } from '../settings/message.ts';
import type { Texts } from '../texts/texts.ts';
import { iconStyles } from '../value/icons.ts';
import { shownStyles } from '../value/shown.ts';
import { draftProblem, emptyDraft, toDraft, toRule } from './draft.ts';
import type { DraftProblem, RuleDraft } from './draft.ts';
import { ruleForm } from './rule-form.ts';
import { ruleRow } from './rule-row.ts';
import { explainSample } from './sample.ts';
import type { SampleCall } from './sample.ts';
import { sampleForm } from './sample-form.ts';
import { rulesStyles } from './styles.ts';

const shownAtOnce = 50;

/** A rule being edited: a listed or a new one. */
interface Editing {
  readonly listed: ListedRule | undefined;
  readonly draft: RuleDraft;
  readonly isSent: boolean;
  /** True if its date was incomplete when it was submitted. */
  readonly isDateUnread?: boolean;
}

/** Problem of the edited rule. */
function problemOf({ draft, isDateUnread = false }: Editing): DraftProblem | undefined {
  return isDateUnread ? { at: 'until', problem: 'malformed', value: '' } : draftProblem(draft, Date.now());
}

/**
 * `<utensil-rules>`: the rules that decide about calls. Users can add, edit and remove their own rules; those of the
 * administrator and the project are read-only. A sample call shows which rule decides.
 */
export class UtensilRules extends UtensilElement {
  static override properties: PropertyDeclarations = {
    rules: { attribute: false },
    registry: { attribute: false },
    settings: { attribute: false },
    host: { attribute: false },
    projectId: { attribute: false },
    grants: { type: Boolean },
    busy: { type: Boolean, reflect: true },
    headingLevel: { type: Number, attribute: 'heading-level' },
    listed: { state: true },
    editing: { state: true },
    problem: { state: true },
    shownRules: { state: true },
    sample: { state: true },
    explained: { state: true },
  };

  static override styles: CSSResultGroup = [UtensilElement.styles, iconStyles, shownStyles, grantStyles, rulesStyles];

  /** From `settingsRules(store, …)`. */
  declare rules: SettingsRules | undefined;
  /** Tools to choose from, also for sample calls. */
  declare registry: Registry | undefined;
  /** Settings that store the rules, with grants and the options of tools. */
  declare settings: SettingsStore | undefined;
  /** Host of the app, for sample calls. */
  declare host: Host | undefined;
  /** Current project, for rules with a scope. */
  declare projectId: string | undefined;
  /** True to list permanent permissions too; `<utensil-settings>` already does. */
  declare grants: boolean;
  /** Disables all changes. */
  declare busy: boolean;
  /** Level of the heading. */
  declare headingLevel: number;
  declare listed: readonly ListedRule[];
  declare editing: Editing | undefined;
  declare problem: { readonly title: string; readonly detail: string } | undefined;
  declare shownRules: number;
  declare sample: SampleCall;
  declare explained: string;

  #watched: SettingsRules | undefined;
  #leave: () => void = () => {};

  constructor() {
    super();
    this.grants = false;
    this.busy = false;
    this.headingLevel = 2;
    this.listed = [];
    this.shownRules = shownAtOnce;
    this.sample = { tool: '', input: '{}' };
    this.explained = '';
    void new Watch(this, () => [this.registry, this.settings]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave();
    this.#watched = undefined;
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('rules') && this.isConnected) this.#follow();
  }

  get #texts(): Texts['rules'] {
    return this.texts.rules;
  }

  /** Reads the rules, and again on every change, in other tabs too. */
  #follow(): void {
    if (this.#watched === this.rules) return;
    this.#leave();
    this.#watched = this.rules;
    this.#leave = this.rules?.subscribe(() => void this.#read()) ?? ((): void => {});
    void this.#read();
  }

  async #read(): Promise<void> {
    const { rules } = this;
    try {
      const listed = (await rules?.list()) ?? [];
      if (rules === this.rules) this.listed = listed;
    } catch (error) {
      this.#fail('notRead', error);
    }
  }

  #fail(title: 'notRead' | 'notStored', error: unknown): void {
    this.problem = { title: this.#texts[title], detail: messageOf(error) };
  }

  override render(): TemplateResult {
    const texts = this.#texts;
    const rows = this.listed.slice(0, this.shownRules);
    const edited = this.editing?.listed?.id;
    // A new rule, or one removed elsewhere in the meantime: the typed values stay.
    const isNew = this.editing !== undefined && !rows.some(({ id }) => id !== undefined && id === edited);
    return html`<section aria-labelledby="heading" part="rules">
      <div class="top">
        <div id="heading" class="heading" role="heading" aria-level=${this.headingLevel}>${texts.heading}</div>
        <p class="about">${texts.hint}</p>
      </div>
      ${this.#message()} ${this.listed.length === 0 && !isNew ? html`<p class="empty">${texts.none}</p>` : nothing}
      <ul>
        ${repeat(rows, keyOf, (listed) => this.#row(listed))}
      </ul>
      ${this.#more()} ${isNew ? this.#form() : this.#addButton()} ${this.#sample()}
      ${this.grants && this.settings ? this.#grants(this.settings) : nothing}
    </section>`;
  }

  #message(): TemplateResult | typeof nothing {
    if (this.problem === undefined) return nothing;
    const { title, detail } = this.problem;
    return message({
      texts: this.texts.settings,
      text: title,
      detail,
      dismiss: () => (this.problem = undefined),
    });
  }

  #row(listed: ListedRule): TemplateResult {
    const { id, rule } = listed;
    if (id !== undefined && this.editing?.listed?.id === id) return html`<li>${this.#form()}</li>`;
    const draft = id === undefined ? undefined : toDraft(rule);
    return ruleRow({
      listed,
      texts: this.texts,
      isBusy: this.busy,
      edit: draft && (() => void this.#edit({ listed, draft, isSent: false })),
      remove: id === undefined ? undefined : () => void this.#remove(id),
    });
  }

  #more(): TemplateResult | typeof nothing {
    const rest = this.listed.length - this.shownRules;
    if (rest <= 0) return nothing;
    return html`<button class="plain more" @click=${() => (this.shownRules += 10 * shownAtOnce)}>
      ${this.#texts.more(this.texts.formats.number(rest))}
    </button>`;
  }

  #addButton(): TemplateResult {
    const add = (): void => void this.#edit({ listed: undefined, draft: emptyDraft, isSent: false });
    return html`<button class="add" ?disabled=${this.busy || this.rules === undefined} @click=${add}>
      ${this.#texts.add}
    </button>`;
  }

  #form(): TemplateResult | typeof nothing {
    const { editing } = this;
    if (editing === undefined) return nothing;
    const tools = this.#tools();
    return ruleForm({
      draft: editing.draft,
      texts: this.#texts,
      isBusy: this.busy,
      isSent: editing.isSent,
      tools: tools.map(({ name }) => name),
      categories: [...new Set(tools.flatMap(({ ui }) => ui?.category ?? []))],
      problem: problemOf(editing),
      change: (change) => (this.editing = { ...editing, isDateUnread: false, draft: { ...editing.draft, ...change } }),
      save: (isDateUnread) => void this.#save({ ...editing, isDateUnread }),
      cancel: () => void this.#close(editing),
    });
  }

  #sample(): TemplateResult | typeof nothing {
    const tools = this.#tools();
    if (tools.length === 0 || this.rules === undefined) return nothing;
    const { sample, explained } = this;
    const change = (changed: Partial<SampleCall>): void => {
      this.sample = { ...sample, ...changed };
      this.explained = '';
    };
    const explain = (): void => void this.#explain();
    return sampleForm({ sample, explained, tools, texts: this.#texts, change, explain });
  }

  #grants(settings: SettingsStore): TemplateResult | typeof nothing {
    return grantList((name) => this.registry?.get(name), {
      texts: this.texts.settings,
      formats: this.texts.formats,
      settings: settings.current(),
      isBusy: this.busy,
      change: (change) => void settings.change(change),
    });
  }

  #tools(): readonly Tool[] {
    return (this.registry?.snapshot() ?? []).filter(({ internal }) => internal !== true);
  }

  async #edit(editing: Editing): Promise<void> {
    this.editing = editing;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('form.form input:checked')?.focus();
  }

  /** Returns the focus to the button that opened the form. */
  async #close({ listed }: Editing): Promise<void> {
    this.editing = undefined;
    await this.updateComplete;
    const at = this.listed.findIndex(({ id }) => id !== undefined && id === listed?.id);
    const row = this.renderRoot.querySelectorAll('section > ul > li')[at];
    (row?.querySelector<HTMLElement>('.edit') ?? this.renderRoot.querySelector<HTMLElement>('.add'))?.focus();
  }

  async #save(editing: Editing): Promise<void> {
    const { draft, listed } = editing;
    if (problemOf(editing) !== undefined) {
      this.editing = { ...editing, isSent: true };
      await this.updateComplete;
      return this.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
    try {
      await this.rules?.put(toRule(draft, listed?.rule), listed?.id);
      this.problem = undefined;
      await this.#read();
      await this.#close(editing);
    } catch (error) {
      this.#fail('notStored', error);
    }
  }

  async #remove(id: string): Promise<void> {
    try {
      await this.rules?.remove(id);
      await this.#read();
    } catch (error) {
      this.#fail('notStored', error);
    }
  }

  async #explain(): Promise<void> {
    const { rules, sample } = this;
    const tools = this.#tools();
    const tool = sample.tool === '' ? tools[0]?.name : sample.tool;
    if (rules === undefined || tool === undefined) return;
    const settings = this.settings?.current() ?? emptySettings;
    const all = Object.fromEntries(tools.map(({ name }) => [name, { ...settings.tools[name], enabled: true }]));
    const toolset = resolveToolset(createRegistry(tools), { ...settings, tools: all }, this.host ?? {});
    const setup = { toolset, rules, projectId: this.projectId, texts: this.#texts };
    const explained = await explainSample({ ...sample, tool }, setup);
    if (sample === this.sample) this.explained = explained;
  }
}

/** Rules of others have no ids and do not move. */
function keyOf({ id }: ListedRule, index: number): string | number {
  return id ?? index;
}

register('utensil-rules', UtensilRules);

declare global {
  interface HTMLElementTagNameMap {
    'utensil-rules': UtensilRules;
  }
}
