import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Texts } from '../texts/texts.ts';
import { shown } from '../value/shown.ts';
import type { TreeRow } from './tree.ts';

/** The height of a line, in pixels. */
const rowHeight = 32;
const margin = 8; // lines rendered beyond what is seen

/** What the tree shows, and what it tells. */
export interface TreeProps {
  readonly texts: Texts['files'];
  readonly rows: readonly TreeRow[];
  readonly selected: string | undefined;
  /** The line that has the focus when the tree has it. */
  readonly focused: string | undefined;
  /** Files with text that is not saved. */
  readonly unsaved: ReadonlySet<string>;
  /** In pixels, as the tree is scrolled at the moment. */
  readonly top: number;
  readonly height: number;
  scroll(event: Event): void;
  key(event: KeyboardEvent): void;
  choose(row: TreeRow): void;
}

/** The tree of files: only the lines that are seen are in the page, however many there are. */
export function treeView(props: TreeProps): TemplateResult {
  const { rows, focused, top, height } = props;
  const first = Math.max(0, Math.floor(top / rowHeight) - margin);
  const last = Math.min(rows.length, Math.ceil((top + height) / rowHeight) + margin);
  const focusedAt = rows.findIndex(({ entry }) => entry.path === focused);
  const places = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  if (focusedAt !== -1 && (focusedAt < first || focusedAt >= last)) places.push(focusedAt); // who scrolls keeps the focus
  return html`<div class="scroll" @scroll=${props.scroll}>
    <div
      class="tree"
      role="tree"
      aria-label=${props.texts.tree}
      .style=${`block-size: ${rows.length * rowHeight}px`}
      @keydown=${props.key}
    >
      ${repeat(
        places.sort((a, b) => a - b), // a line that stays keeps its place, and so the focus
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
