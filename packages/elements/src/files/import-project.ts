import { isUtensilError } from '@utensil/core';
import type { Files } from '@utensil/core';
import type { ImportResult } from '@utensil/core/files';
import type { Texts } from '../texts/texts.ts';
import { imported } from './actions.ts';
import type { Said } from './parts.ts';
import { problemText } from './problem.ts';

type Existing = 'refuse' | 'overwrite' | 'skip';

/** Maximum number of paths to name in a message. */
const mostNamed = 3;

/** Imports an exported project and shows the result. Existing files are replaced only with a person's consent. */
export async function importProject(files: Files, bundle: File, texts: Texts['files']): Promise<Said> {
  const { name } = bundle;
  if (bundle.size === 0) return bad(texts.importNothing(name));
  const begun = await bundle.slice(0, 4_096).text();
  return begun.includes('utensil-bundle') ? attempt('refuse') : bad(texts.noProject(name));

  async function attempt(existing: Existing): Promise<Said> {
    try {
      const result = await imported(files, bundle, existing);
      return { text: resultText(result, { name, existing, texts }), isBad: false };
    } catch (error) {
      return isUtensilError(error, 'EEXIST') ? clash(error.path ?? '', existing) : bad(failureText(name, error, texts));
    }
  }

  function clash(path: string, existing: Existing): Said {
    const others = { label: texts.importOthers, act: () => attempt('skip') };
    if (existing === 'overwrite') return { text: texts.irreplaceable(path), isBad: true, choices: [others] };
    const replace = { label: texts.replaceExisting, act: () => attempt('overwrite') };
    return { text: texts.importExists(name, path), isBad: true, choices: [replace, others] };
  }
}

function bad(text: string): Said {
  return { text, isBad: true };
}

interface Import {
  readonly name: string;
  readonly existing: Existing;
  readonly texts: Texts['files'];
}

function resultText({ written, skipped }: ImportResult, { name, existing, texts }: Import): string {
  if (written === 0) return skipped.length === 0 ? texts.importEmpty(name) : texts.importKnown(name);
  if (existing === 'overwrite') return texts.importedOver(written);
  if (skipped.length === 0) return texts.imported(written);
  return texts.importedSome(written, skipped.slice(0, mostNamed).join(', '), Math.max(0, skipped.length - mostNamed));
}

/** Reason that nothing was imported, and advice. */
function failureText(name: string, error: unknown, texts: Texts['files']): string {
  if (isUtensilError(error, 'bundle_newer')) return texts.importNewer(name);
  if (isUtensilError(error, 'bundle_corrupt')) return texts.importDamaged(name);
  if (isUtensilError(error, 'EFBIG')) return texts.importTooLarge(name, error.path ?? '');
  if (isUtensilError(error, 'ENOSPC', 'EDQUOT')) return texts.importFull(name);
  if (isUtensilError(error, 'ECONFLICT')) return texts.importConflict(name);
  return texts.notImported(name, problemText(error, texts));
}
