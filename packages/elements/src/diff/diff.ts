import { css, html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { register, UtensilElement } from '../base/element.ts';
import type { Texts } from '../texts/texts.ts';
import { shown, shownStyles } from '../value/shown.ts';
import { hunksOf } from './hunks.ts';
import type { DiffLine } from './hunks.ts';

const shownLines = 2_000;
const words = { '-': 'removed', '+': 'added', ' ': undefined } as const;

/** `<utensil-diff>`: the difference between two texts. Without `oldText` it is new, without `newText` it is deleted. */
export class UtensilDiff extends UtensilElement {
  static override properties: PropertyDeclarations = {
    oldText: { attribute: false },
    newText: { attribute: false },
    label: { type: String },
  };

  static override styles: CSSResultGroup = [
    UtensilElement.styles,
    shownStyles,
    css`
      .scroll {
        overflow: auto;
        max-block-size: var(--utensil-diff-height, 24rem);
        border: 1px solid var(--u-border);
        border-radius: var(--u-radius);
      }
      table {
        inline-size: 100%;
        border-collapse: collapse;
        font-family: var(--u-mono);
        font-size: 0.8125rem;
        direction: ltr;
      }
      td {
        padding: 0 0.5rem;
        vertical-align: top;
      }
      td.number {
        color: var(--u-muted);
        text-align: end;
        user-select: none;
        inline-size: 1%;
      }
      td.sign {
        inline-size: 1%;
      }
      td.text {
        overflow-wrap: anywhere;
      }
      td.text span:last-child {
        white-space: pre-wrap;
      }
      tr.added {
        background: var(--u-added);
      }
      tr.removed {
        background: var(--u-removed);
      }
      tbody + tbody tr:first-child td {
        border-block-start: 1px solid var(--u-border);
      }
      p {
        margin: 0.5rem;
        color: var(--u-muted);
      }
    `,
  ];

  declare oldText: string | undefined;
  declare newText: string | undefined;
  /** Accessible name. Default: “Changes”. */
  declare label: string;

  constructor() {
    super();
    this.label = '';
  }

  override render(): TemplateResult {
    const texts = this.texts.diff;
    const hunks = hunksOf(this.oldText, this.newText);
    let room = shownLines;
    const bodies = hunks.map(({ lines }) => {
      const shown = lines.slice(0, Math.max(0, room));
      room -= lines.length;
      return shown.length === 0
        ? nothing
        : html`<tbody>
            ${shown.map((line) => row(line, texts))}
          </tbody>`;
    });
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${this.label || texts.label}>
      ${
        hunks.length === 0
          ? html`<p>${texts.same}</p>`
          : html`<table>
              ${bodies}
            </table>`
      }
      ${room < 0 ? html`<p>${texts.more(-room)}</p>` : nothing}
    </div>`;
  }
}

function row({ sign, text, oldLine, newLine }: DiffLine, texts: Texts['diff']): TemplateResult {
  const word = words[sign];
  return html`<tr class=${word ?? ''}>
    <td class="number">${oldLine}</td>
    <td class="number">${newLine}</td>
    <td class="sign" aria-hidden="true">${sign}</td>
    <td class="text">
      ${word === undefined ? nothing : html`<span class="hidden-text">${texts[word]} </span>`}<span
        >${shown(text)}</span
      >
    </td>
  </tr>`;
}

register('utensil-diff', UtensilDiff);

declare global {
  interface HTMLElementTagNameMap {
    'utensil-diff': UtensilDiff;
  }
}
