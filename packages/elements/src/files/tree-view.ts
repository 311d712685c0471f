import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Texts } from '../texts/texts.ts';
import { shown } from '../value/shown.ts';
import type { TreeRow } from './tree.ts';

/** Height of a row, in pixels. */
const rowHeight = 32;
const margin = 8; // rows rendered outside the visible area

/** State and actions of the tree. */
export interface TreeProps {
  readonly texts: Texts['files'];
  readonly rows: readonly TreeRow[];
  readonly selected: string | undefined;
  /** Row with the focus when the tree is focused. */
  readonly focused: string | undefined;
  /** Files with unsaved text. */
  readonly unsaved: ReadonlySet<string>;
  /** Current scroll position, in pixels. */
  readonly top: number;
  readonly height: number;
  scroll(event: Event): void;
  key(event: KeyboardEvent): void;
  choose(row: TreeRow): void;
}

/** Renders the tree virtually: only the visible rows are in the page. */
export function treeView(props: TreeProps): TemplateResult {
  const { rows, focused, top, height } = props;
  const first = Math.max(0, Math.floor(top / rowHeight) - margin);
  const last = Math.min(rows.length, Math.ceil((top + height) / rowHeight) + margin);
  const focusedAt = rows.findIndex(({ entry }) => entry.path === focused);
  const places = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  if (focusedAt !== -1 && (focusedAt < first || focusedAt >= last)) places.push(focusedAt); // scrolling keeps the focused row
  return html`<div class="scroll" @scroll=${props.scroll}>
    <div
      class="tree"
      role="tree"
      aria-label=${props.texts.tree}
      .style=${`block-size: ${rows.length * rowHeight}px`}
      @keydown=${props.key}
    >
      ${repeat(
        places.sort((a, b) => a - b), // rows keep their DOM position, and so the focus
        (place) => rows[place]?.entry.path,
        (place) => line(props, place),
      )}
    </div>
  </div>`;
}

function line(props: TreeProps, place: number): TemplateResult {
  const { texts, rows, selected, focused, unsaved, choose } = props;
  const row = rows[place];
  if (row === undefined) return html``;
  const { entry, name, level, isOpen, position, siblings } = row;
  const isDirectory = entry.kind === 'directory';
  const isFocused = entry.path === (focused ?? rows[0]?.entry.path);
  return html`<div
    class="row"
    role="treeitem"
    data-path=${entry.path}
    aria-level=${level}
    aria-posinset=${position}
    aria-setsize=${siblings}
    aria-selected=${entry.path === selected ? 'true' : 'false'}
    aria-expanded=${isDirectory ? String(isOpen) : 'undefined'}
    tabindex=${isFocused ? 0 : -1}
    .style=${`inset-block-start: ${place * rowHeight}px; padding-inline-start: ${level * 16 - 8}px`}
    @click=${() => choose(row)}
  >
    <span class="mark" aria-hidden="true">${isDirectory ? (isOpen ? '▾' : '▸') : ''}</span>
    <span class="name">${shown(name)}</span>
    ${unsaved.has(entry.path) ? html`<span class="dot" title=${texts.unsaved}><span class="hidden-text">${texts.unsaved}</span></span>` : ''}
  </div>`;
}
