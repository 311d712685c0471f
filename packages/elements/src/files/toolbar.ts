import type { FileEntry } from '@utensil/core';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Texts } from '../texts/texts.ts';
import { proposed } from './actions.ts';
import type { PathForm } from './actions.ts';

/** State and actions of the toolbar. */
export interface ToolbarProps {
  readonly texts: Texts['files'];
  /** Selected entry. */
  readonly entry: FileEntry | undefined;
  /** Target directory for new files. */
  readonly directory: string;
  /** True if the trash is open; undefined if there is none. */
  readonly trash: boolean | undefined;
  ask(form: PathForm): void;
  remove(entry: FileEntry): void;
  upload(event: Event): void;
  save(): void;
  bring(event: Event): void;
  toggleTrash(): void;
}

/** Toolbar above the tree: a fixed row of buttons, and a menu of rare actions. */
export function toolbar(props: ToolbarProps): TemplateResult {
  const { texts, directory, ask } = props;
  return html`<div class="toolbar" role="group" aria-label=${texts.toolbar}>
      <button @click=${() => ask({ kind: 'file', value: proposed(directory, 'new.md') })}>${texts.newFile}</button>
      <button @click=${() => ask({ kind: 'folder', value: proposed(directory, 'new') })}>${texts.newFolder}</button>
      <button @click=${picker('#upload')}>${texts.upload}</button>
      <button class="more" popovertarget="more">${texts.more}</button>
    </div>
    ${menu(props)}
    <input id="upload" type="file" multiple hidden aria-label=${texts.uploadFiles} @change=${props.upload} />
    <input id="bundle" type="file" accept=".json" hidden aria-label=${texts.importFile} @change=${props.bring} />`;
}

function menu({ texts, entry, trash, ask, ...props }: ToolbarProps): TemplateResult {
  return html`<div id="more" popover role="group" aria-label=${texts.more} @click=${close}>
    ${entry === undefined ? nothing : ofEntry(entry, { texts, ask, remove: props.remove })}
    <button @click=${props.save}>${texts.export}</button>
    <button @click=${picker('#bundle')}>${texts.import}</button>
    ${trash === undefined ? nothing : html`<button aria-pressed=${String(trash)} @click=${props.toggleTrash}>${texts.trash}</button>`}
  </div>`;
}

/** Closes the menu after any choice. */
function close({ currentTarget }: Event): void {
  (currentTarget as HTMLElement).hidePopover();
}

/** Opens the browser's file dialog of one of the inputs below. */
function picker(id: string): (event: Event) => void {
  return ({ currentTarget }) => {
    const root = (currentTarget as Element).getRootNode() as ShadowRoot;
    root.querySelector<HTMLInputElement>(id)?.click();
  };
}

function ofEntry(
  entry: FileEntry,
  { texts, ask, remove }: Pick<ToolbarProps, 'texts' | 'ask' | 'remove'>,
): TemplateResult {
  const { path, kind } = entry;
  return html`<button @click=${() => ask({ kind: 'move', from: path, value: path })}>${texts.move}</button>
    ${kind === 'file' ? html`<button @click=${() => ask({ kind: 'copy', from: path, value: path })}>${texts.copy}</button>` : nothing}
    <button @click=${() => remove(entry)}>${texts.remove}</button>`;
}
