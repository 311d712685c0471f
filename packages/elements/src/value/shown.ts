import { css, html } from 'lit';
import type { CSSResult, TemplateResult } from 'lit';
import { stretchesOf } from './visible.ts';
import type { Stretch } from './visible.ts';

/** Untrusted text: isolated from the surrounding text direction, with names for invisible characters. */
export function shown(text: string): TemplateResult {
  return shownStretches(stretchesOf(text));
}

/** Template of {@link shown}. */
export function shownStretches(stretches: readonly Stretch[]): TemplateResult {
  return html`<bdi
    >${stretches.map(({ text, isNamed }) => (isNamed ? html`<span class="named">${text}</span>` : text))}</bdi
  >`;
}

/** Styles of {@link shown}. */
export const shownStyles: CSSResult = css`
  .named {
    padding-inline: 0.125em;
    border-radius: 0.25em;
    background: var(--u-removed);
    color: var(--u-bad);
    font-family: var(--u-mono);
    font-size: 0.875em;
  }
`;
