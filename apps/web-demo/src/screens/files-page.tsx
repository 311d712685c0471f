import { UtensilFiles } from '@utensil/react/elements/files';
import { useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import type { OpenProject } from '../data/workspace.ts';
import { Notice } from './notice.tsx';
import { useTexts } from './use-texts.ts';

/** Files of the project, with their versions and unsaved edits. */
export function FilesPage({ opened }: { readonly opened: OpenProject }): ReactElement {
  const { files: texts } = useTexts();
  const { files, storage, lookedAt } = opened;
  const edits = opened.fileEdits();
  const { drafts, problem } = useSyncExternalStore(edits.subscribe, edits.state);
  return (
    <div className="page wide">
      <h1>{texts.heading}</h1>
      {problem !== undefined && <Notice text={problem} />}
      <UtensilFiles
        files={files}
        history={storage.history}
        path={lookedAt.path}
        drafts={drafts}
        keepsDrafts
        onDraft={({ detail: { path, draft } }) => edits.change(path, draft)}
        onSelect={({ detail: { path } }) => (lookedAt.path = path)}
      />
    </div>
  );
}
