'use client';

import { UtensilFiles as FilesElement } from '@utensil/elements/files';
import type { FileDraft } from '@utensil/elements/files';
import type { FunctionComponent } from 'react';
import { component } from '../component.ts';
import type { ElementProps } from '../component.ts';

/** Props of {@link UtensilFiles}. */
export type FilesProps = ElementProps<
  FilesElement,
  'files' | 'history' | 'path' | 'drafts' | 'keepsDrafts',
  {
    readonly onSelect: { readonly path: string };
    readonly onDraft: { readonly path: string; readonly draft?: FileDraft };
  }
>;

/** `<utensil-files>`: the files of a project, with their history. */
export const UtensilFiles: FunctionComponent<FilesProps> = component<FilesProps>(FilesElement, 'utensil-files', {
  onSelect: 'utensil-select',
  onDraft: 'utensil-draft',
});
