import { withGrant } from '@utensil/core';
import type { Tool } from '@utensil/core';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { shown } from '../value/shown.ts';
import { texts } from './texts.ts';
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
      <button class="revoke" aria-label=${texts.revokeOf(title)} ?disabled=${view.isBusy} @click=${revoke}>
        ${texts.revoke}
      </button>
    </li>`;
  });
  return html`<section class="grants" aria-label=${texts.granted}>
    <div>
      ${texts.granted}
      <p class="about">${texts.grantedHint}</p>
    </div>
    <ul>
      ${rows}
    </ul>
  </section>`;
}
