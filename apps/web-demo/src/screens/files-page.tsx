import { UtensilFiles } from '@utensil/react/elements/files';
import type { ReactElement } from 'react';
import type { OpenProject } from '../data/workspace.ts';

/** The files of the project, with their past. */
export function FilesPage({ opened }: { readonly opened: OpenProject }): ReactElement {
  return (
    <div className="page wide">
      <h1>Files</h1>
      <UtensilFiles files={opened.files} history={opened.storage.history} />
    </div>
  );
}
