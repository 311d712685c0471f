import { css, svg } from 'lit';
import type { CSSResult, SVGTemplateResult, TemplateResult } from 'lit';
import { html } from 'lit';
import { isDrawn } from './emoji.ts';

const shapes = {
  check: svg`<path d="m3.5 8.5 3 3 6-7" />`,
  cross: svg`<path d="m4 4 8 8m0-8-8 8" />`,
  chevron: svg`<path d="m6 3.5 4.5 4.5L6 12.5" />`,
  dots: svg`<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2" />`,
  ring: svg`<path d="M8 2a6 6 0 1 1-5.2 3" />`,
  person: svg`<path d="M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8Zm-5 5.5c.6-2.3 2.6-3.5 5-3.5s4.4 1.2 5 3.5" />`,
  warning: svg`<path d="M8 2.5 14 13H2L8 2.5Zm0 4v3m0 1.75v.01" />`,
  wrench: svg`<path d="M9.8 2.6a3.4 3.4 0 0 0-3.9 4.7L2.5 10.700a1.500 1.500 0 0 0 2.100 2.100L8 9.400a3.400 3.400 0 0 0 4.900-3.700L10.800 7.700 8.600 7.200 8.100 5l1.700-2.400Z" />`,
  up: svg`<path d="M8 13V3m-4 4 4-4 4 4" />`,
  down: svg`<path d="M8 3v10m-4-4 4 4 4-4" />`,
} as const satisfies Readonly<Record<string, SVGTemplateResult>>;

/** The name of one of the small pictures of the elements. */
export type IconName = keyof typeof shapes;

/** A small picture beside words that say the same. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon ${name}" viewBox="0 0 16 16" aria-hidden="true">${shapes[name]}</svg>`;
}

const emoji = /^\p{Extended_Pictographic}|^\p{Regional_Indicator}|^[0-9#*]\ufe0f?\u20e3/u;

/** The icon of a tool: its emoji, where the machine has a picture for it; for the name of an icon of the app's, a place that `::part(icon-…)` fills; else a wrench. */
export function toolIcon(name: string | undefined): TemplateResult {
  if (name !== undefined && emoji.test(name) && isDrawn(name))
    return html`<span class="tool-icon" part="icon" aria-hidden="true">${[...name].slice(0, 8).join('')}</span>`;
  const named = name === undefined ? '' : `icon-${name.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-')}`;
  return html`<span class="tool-icon" part="icon ${named}" aria-hidden="true">${icon('wrench')}</span>`;
}

/** How icons look. */
export const iconStyles: CSSResult = css`
  .icon {
    inline-size: 1em;
    block-size: 1em;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
    vertical-align: -0.125em;
  }
  .tool-icon {
    display: inline-grid;
    place-items: center;
    flex: none;
    inline-size: 1.5em;
    block-size: 1.5em;
    line-height: 1;
    color: var(--u-muted);
  }
`;
