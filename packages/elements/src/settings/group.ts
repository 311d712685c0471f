import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { icon } from '../value/icons.ts';
import { shown } from '../value/shown.ts';
import { countOn, withGroup } from './changes.ts';
import type { ToolGroup } from './groups.ts';
import { toolRow } from './tool-row.ts';
import type { SettingsView } from './view.ts';

/** State of a group. */
export interface GroupState {
  /** DOM id of the collapsible content. */
  readonly domId: string;
  readonly isOpen: boolean;
  /** Tools that match the search. */
  readonly found: ToolGroup['tools'];
  /** Number of tools to show. */
  readonly shown: number;
  readonly headingLevel: number;
  more(): void;
  toggle(): void;
}

/** Tools of a category below a collapsible header, with one switch for all. */
export function groupSection(group: ToolGroup, state: GroupState, view: SettingsView): TemplateResult {
  const title = titleOf(group, view);
  const newOnes = state.isOpen ? 0 : group.tools.filter((tool) => view.isNew(tool)).length;
  return html`<section class="group" part="group">
    <div class="header">
      <div role="heading" aria-level=${state.headingLevel}>
        <button
          class="plain opener"
          aria-expanded=${state.isOpen}
          aria-controls=${state.domId}
          @click=${() => state.toggle()}
        >
          ${icon('chevron')} <span class="title">${shown(title)}</span>
          <bdi class="count">${view.texts.on(countOn(view.settings, group), group.tools.length)}</bdi>
          ${newOnes === 0 ? nothing : html`<span class="badge">${view.texts.newOnes(newOnes)}</span>`}
        </button>
      </div>
      ${masterSwitch(group, view)}
    </div>
    <div id=${state.domId}>${state.isOpen ? toolList(state, view) : nothing}</div>
  </section>`;
}

/** Tools without a header. */
export function toolList(
  { found, shown, more }: Pick<GroupState, 'found' | 'shown' | 'more'>,
  view: SettingsView,
): TemplateResult {
  const rest = found.length - shown;
  return html`<ul>
      ${repeat(
        found.slice(0, shown),
        ({ name }) => name,
        (tool) => toolRow(tool, view),
      )}
    </ul>
    ${rest > 0 ? html`<button class="plain more" @click=${more}>${view.texts.more(rest)}</button>` : nothing}`;
}

/** Title of a group: its capitalized category. */
function titleOf({ category }: ToolGroup, view: SettingsView): string {
  return category === undefined ? view.texts.other : category.charAt(0).toLocaleUpperCase() + category.slice(1);
}

function masterSwitch(group: ToolGroup, view: SettingsView): TemplateResult {
  const on = countOn(view.settings, group);
  const change = (event: Event): void => {
    const { checked } = event.target as HTMLInputElement;
    view.change((settings) => withGroup(settings, group, checked));
  };
  return html`<input
    type="checkbox"
    class="switch"
    aria-label=${view.texts.all(titleOf(group, view))}
    .checked=${live(on === group.tools.length)}
    .indeterminate=${live(on > 0 && on < group.tools.length)}
    ?disabled=${view.isBusy}
    @change=${change}
  />`;
}
