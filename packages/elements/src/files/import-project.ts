import { isUtensilError } from '@utensil/core';
import type { ImportResult, ProjectFiles } from '@utensil/core';
import { imported } from './actions.ts';
import type { Said } from './parts.ts';
import { problemText } from './texts.ts';

type Existing = 'refuse' | 'overwrite' | 'skip';

/** The paths that a message names; of more, only how many. */
const mostNamed = 3;

/** Imports an exported project, and says what came of it. Files that are there already are replaced only if a person says so. */
export async function importProject(files: ProjectFiles, bundle: File): Promise<Said> {
  const name = `“${bundle.name}”`;
  if (bundle.size === 0) return bad(`${name} is empty: there is nothing to import.`);
  const begun = await bundle.slice(0, 4_096).text();
  if (!begun.includes('utensil-bundle')) {
    return bad(
      `${name} is not an exported project. “Import” takes the file that “Export” makes, which ends in .utensil.json. To add any other file, use “Upload”.`,
    );
  }
  return attempt('refuse');

  async function attempt(existing: Existing): Promise<Said> {
    try {
      return { text: resultText(name, await imported(files, bundle, existing), existing), isBad: false };
    } catch (error) {
      return isUtensilError(error, 'EEXIST') ? clash(error.path ?? '', existing) : bad(failureText(name, error));
    }
  }

  function clash(path: string, existing: Existing): Said {
    const others = { label: 'Import only the others', act: () => attempt('skip') };
    if (existing === 'overwrite') {
      const text = `Nothing was imported: ${path} cannot be replaced, because something of another kind or spelling is in its place. Rename that first, or import only the others.`;
      return { text, isBad: true, choices: [others] };
    }
    const text = `Nothing is imported yet: some files of ${name} are here already, such as ${path}.`;
    return { text, isBad: true, choices: [{ label: 'Replace what is here', act: () => attempt('overwrite') }, others] };
  }
}

function bad(text: string): Said {
  return { text, isBad: true };
}

function resultText(name: string, { written, skipped }: ImportResult, existing: Existing): string {
  if (written === 0 && skipped.length === 0) return `${name} has no files in it: nothing was imported.`;
  if (written === 0) return `Nothing was imported: all files of ${name} are here already.`;
  const done = written === 1 ? '1 file was imported.' : `${written} files were imported.`;
  if (existing === 'overwrite') return `${done} Files of the same name were replaced.`;
  if (skipped.length === 0) return done;
  const named = skipped.slice(0, mostNamed).join(', ');
  const more = skipped.length > mostNamed ? ` and ${skipped.length - mostNamed} more` : '';
  return `${done} Already here, and left as before: ${named}${more}.`;
}

/** Why nothing was imported, and what to do. */
function failureText(name: string, error: unknown): string {
  if (isUtensilError(error, 'bundle_newer'))
    return `${name} was exported by a newer version of this app. Nothing was imported. Load the page again to update, then import it once more.`;
  if (isUtensilError(error, 'bundle_corrupt'))
    return `${name} is damaged or incomplete. Nothing was imported. Export the project again, and import that file.`;
  if (isUtensilError(error, 'EFBIG')) {
    const what = error.path === undefined ? 'it is' : `${error.path} in it is`;
    return `${name} cannot be imported, because ${what} too large. Nothing was imported. Leave out what is large when you export, and upload that by itself.`;
  }
  if (isUtensilError(error, 'ENOSPC', 'EDQUOT'))
    return `There is no room for the files of ${name}. Nothing was imported. Remove files or empty the trash, and try again.`;
  if (isUtensilError(error, 'ECONFLICT'))
    return `Files were changed while ${name} was being imported. Nothing was imported. Try again.`;
  return `${name} could not be imported. ${problemText(error)}`;
}
