import { isWithin, nameOf } from '@utensil/core/files';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Texts } from '../texts/texts.ts';
import { shown } from '../value/shown.ts';
import type { Draft } from './file.ts';

/** What is typed and not saved, by the path of its file. */
export type Drafts = ReadonlyMap<string, Draft>;

/** The drafts with that of a file changed, or thrown away. */
export function withDraft(drafts: Drafts, path: string, draft: Draft | undefined): Drafts {
  const changed = new Map(drafts);
  if (draft === undefined) changed.delete(path);
  else changed.set(path, draft);
  return changed;
}

/** The drafts that go along when a file or folder is moved, by their paths before, with those after. */
export function movedDrafts(drafts: Drafts, from: string, to: string): ReadonlyMap<string, string> {
  const within = [...drafts.keys()].filter((path) => isWithin(from, path));
  return new Map(within.map((path) => [path, to + path.slice(from.length)]));
}

/** The files with drafts that the tree does not show: their folder is closed, or they were removed. */
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
