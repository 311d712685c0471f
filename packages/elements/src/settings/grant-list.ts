import { allGrants, withoutGrant } from '@utensil/core/settings';
import type { Tool } from '@utensil/core';
import { css, html, nothing } from 'lit';
import type { CSSResult, TemplateResult } from 'lit';
import { shown } from '../value/shown.ts';
import type { SettingsView } from './view.ts';

/** Latest representable date, in milliseconds since 1970. */
const lastDay = 8.64e15;

/** End of a permission or a rule. The stored value may be any number. */
function endText(
  expires: number,
  { texts, formats }: Pick<SettingsView, 'texts' | 'formats'>,
): string | typeof nothing {
  return Math.abs(expires) <= lastDay ? texts.until(formats.time(expires)) : nothing;
}

/** Tools that run without asking, with expiry and user; each permission can be revoked. */
export function grantList(
  toolOf: (name: string) => Tool | undefined,
  view: Pick<SettingsView, 'texts' | 'formats' | 'settings' | 'isBusy' | 'change'>,
): TemplateResult | typeof nothing {
  const { texts, isBusy } = view;
  const grants = allGrants(view.settings);
  if (grants.length === 0) return nothing;
  const rows = grants.map(([name, grant]) => {
    const title = toolOf(name)?.title ?? name;
    const revoke = (): void => view.change((settings) => withoutGrant(settings, name, grant));
    return html`<li>
      <span
        >${shown(title)}
        <span class="about"
          >${endText(grant.expires, view)}
          ${grant.principal === undefined ? nothing : shown(texts.grantedBy(grant.principal))}</span
        ></span
      >
      <button class="revoke" aria-label=${texts.revokeOf(title)} ?disabled=${isBusy} @click=${revoke}>
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

/** Styles of the list. */
export const grantStyles: CSSResult = css`
  .grants {
    margin-block-end: 0.75rem;
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
    background: var(--u-background);
    overflow: clip;
  }
  .grants > div {
    padding: 0.5rem 0.75rem;
    background: var(--u-surface);
    font-weight: 600;
  }
  .grants p {
    margin: 0;
    font-weight: 400;
  }
  .grants li {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.75rem;
    padding: 0.375rem 0.75rem;
    border-block-start: 1px solid var(--u-border);
    overflow-wrap: anywhere;
  }
`;
