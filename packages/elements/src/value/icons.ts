import { css, html, nothing, svg } from 'lit';
import type { CSSResult, SVGTemplateResult, TemplateResult } from 'lit';
import type { IconNode } from 'lucide';
import { isDrawn } from './emoji.ts';
import { iconOf, iconOfCategory, ownIcons } from './icon-set.ts';

/** Name of an icon of the elements. */
export type IconName = keyof typeof ownIcons;

/** A decorative icon next to a label. */
export function icon(name: IconName): TemplateResult {
  return picture(ownIcons[name], name);
}

function picture(node: IconNode, name: string): TemplateResult {
  return html`<svg class="icon ${name}" viewBox="0 0 24 24" aria-hidden="true">${node.map(shape)}</svg>`;
}

type Shape = IconNode[number];

/** Shapes as templates: no markup is parsed, so Trusted Types permit it. */
function shape([kind, given]: Shape): SVGTemplateResult | typeof nothing {
  const { d, cx, cy, r, rx, ry, x, y, x1, x2, y1, y2, width, height, points } = given;
  switch (kind) {
    case 'path':
      return svg`<path d=${d} />`;
    case 'circle':
      return svg`<circle cx=${cx} cy=${cy} r=${r} />`;
    case 'ellipse':
      return svg`<ellipse cx=${cx} cy=${cy} rx=${rx} ry=${ry} />`;
    case 'line':
      return svg`<line x1=${x1} x2=${x2} y1=${y1} y2=${y2} />`;
    case 'rect':
      return svg`<rect x=${x} y=${y} width=${width} height=${height} rx=${rx ?? nothing} ry=${ry ?? nothing} />`;
    case 'polyline':
      return svg`<polyline points=${points} />`;
    case 'polygon':
      return svg`<polygon points=${points} />`;
    default:
      return nothing;
  }
}

const emoji = /^\p{Extended_Pictographic}|^\p{Regional_Indicator}|^[0-9#*]\ufe0f?\u20e3/u;

/**
 * Icon of a tool: the one for its name or emoji; any other emoji that the machine can draw; else that of its category.
 * A page can replace the icon `globe` through `::part(icon-globe)`.
 */
export function toolIcon(name = '', category?: string): TemplateResult {
  const known = iconOf(name);
  if (known === undefined && emoji.test(name) && isDrawn(name))
    return html`<span class="tool-icon" part="icon" aria-hidden="true">${[...name].slice(0, 8).join('')}</span>`;
  const part = name === '' ? '' : `icon-${name.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-')}`;
  return html`<span class="tool-icon" part="icon ${part}" aria-hidden="true"
    >${picture(known ?? iconOfCategory(category), 'of-tool')}</span
  >`;
}

/** Styles of icons. */
export const iconStyles: CSSResult = css`
  .icon {
    inline-size: 1em;
    block-size: 1em;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
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
