import { isWithin, nameOf } from '@utensil/core/files';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Texts } from '../texts/texts.ts';
import { shown } from '../value/shown.ts';
import type { Draft } from './file.ts';

/** Unsaved texts by path. */
export type Drafts = ReadonlyMap<string, Draft>;

/** Returns the drafts with one of them changed or discarded. */
export function withDraft(drafts: Drafts, path: string, draft: Draft | undefined): Drafts {
  const changed = new Map(drafts);
  if (draft === undefined) changed.delete(path);
  else changed.set(path, draft);
  return changed;
}

/** Drafts affected by a move, by their old paths, with the new ones. */
export function movedDrafts(drafts: Drafts, from: string, to: string): ReadonlyMap<string, string> {
  const within = [...drafts.keys()].filter((path) => isWithin(from, path));
  return new Map(within.map((path) => [path, to + path.slice(from.length)]));
}

/** Files with drafts that the tree does not show: in closed folders, or removed. */
export function unsavedList(
  paths: readonly string[],
  texts: Texts['files'],
  choose: (path: string) => void,
): TemplateResult | typeof nothing {
  if (paths.length === 0) return nothing;
  return html`<div class="unsaved" role="group" aria-label=${texts.unsavedFiles}>
    <span class="about">${texts.unsavedList}</span>
    ${paths.map((path) => html`<button title=${path} @click=${() => choose(path)}>${shown(nameOf(path))}</button>`)}
  </div>`;
}
