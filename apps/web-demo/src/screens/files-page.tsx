import { UtensilFiles } from '@utensil/react/elements/files';
import { useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import { fileEditsOf } from '../data/file-edits.ts';
import type { OpenProject } from '../data/workspace.ts';
import { Notice } from './notice.tsx';

/** What was looked at last, by the files that it is one of. */
const lookedAt = new WeakMap<OpenProject['files'], string>();

/** The files of the project, with their past and what was typed in them and not saved. */
export function FilesPage({ opened: { files, records, storage } }: { readonly opened: OpenProject }): ReactElement {
  const edits = fileEditsOf(records);
  const { drafts, problem } = useSyncExternalStore(edits.subscribe, edits.state);
  return (
    <div className="page wide">
      <h1>Files</h1>
      {problem !== undefined && <Notice text={problem} />}
      <UtensilFiles
        files={files}
        history={storage.history}
        path={lookedAt.get(files)}
        drafts={drafts}
        keepsDrafts
        onDraft={({ detail: { path, draft } }) => edits.change(path, draft)}
        onSelect={({ detail: { path } }) => lookedAt.set(files, path)}
      />
    </div>
  );
}
