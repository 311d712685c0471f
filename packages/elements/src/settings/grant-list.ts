import { withGrant } from '@utensil/core/settings';
import type { Tool } from '@utensil/core';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { shown } from '../value/shown.ts';
import type { SettingsView } from './view.ts';

/** The tools that run without being asked about, each of which can be asked about again. */
export function grantList(
  names: readonly string[],
  toolOf: (name: string) => Tool | undefined,
  view: SettingsView,
): TemplateResult | typeof nothing {
  if (names.length === 0) return nothing;
  const rows = names.map((name) => {
    const title = toolOf(name)?.title ?? name;
    const revoke = (): void => view.change((settings) => withGrant(settings, name));
    return html`<li>
      <span>${shown(title)}</span>
      <button class="revoke" aria-label=${view.texts.revokeOf(title)} ?disabled=${view.isBusy} @click=${revoke}>
        ${view.texts.revoke}
      </button>
    </li>`;
  });
  return html`<section class="grants" aria-label=${view.texts.granted}>
    <div>
      ${view.texts.granted}
      <p class="about">${view.texts.grantedHint}</p>
    </div>
    <ul>
      ${rows}
    </ul>
  </section>`;
}
