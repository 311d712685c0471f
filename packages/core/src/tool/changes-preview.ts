import type { Preview } from './presentation.ts';
import { abridgeText } from '../files/edit/abridge.ts';
import type { Files } from '../files/files.ts';
import { effectAt } from '../files/instructions.ts';

/** Input of a preview of changes. */
export interface PreviewedChanges {
  readonly files: Pick<Files, 'keepsVersions'>;
  /** Paths of the call; everything below them may change too. */
  readonly paths: readonly string[];
  readonly changes: Preview['changes'];
}

/** Limits in characters: for a file that is only named, and for all files together. */
const most = { lines: 12, characters: 1_000, together: 200_000 };

/**
 * Preview of a call that only changes files. Marked as undoable if it only creates files, or if the storage keeps
 * versions; never for files that are obeyed later (see {@link effectAt}). Deleted files, and all files after the first
 * 200,000 characters, are shown by their first lines.
 */
export function changesPreview({ files, paths, changes }: PreviewedChanges): Preview {
  const isHarmless = effectAt('write', [...paths, ...changes.map(({ path }) => path)]) === 'write';
  const onlyMakes = changes.length > 0 && changes.every(({ before }) => before === undefined);
  const undoable = isHarmless && (onlyMakes || files.keepsVersions === true);
  return { type: 'changes', changes: bounded(changes), ...(undoable && { undoable }) };
}

/** A preview truncated for its length exceeds what a person reviews, so it never counts as seen. */
function bounded(changes: Preview['changes']): Preview['changes'] {
  let shown = 0;
  return changes.map((change) => {
    const { path, before, after } = change;
    const isWhole = after !== undefined && shown < most.together;
    const kept = isWhole
      ? change
      : {
          path,
          ...(before !== undefined && { before: firstLines(before) }),
          ...(after !== undefined && { after: firstLines(after) }),
        };
    shown += (kept.before ?? '').length + (kept.after ?? '').length;
    return kept;
  });
}

function firstLines(text: string): string {
  const lines = text.split('\n');
  const rest = lines.length - most.lines;
  if (rest <= 0) return abridgeText(text, most.characters);
  const beginning = abridgeText(lines.slice(0, most.lines).join('\n'), most.characters);
  return `${beginning}\n… (${rest.toLocaleString('en')} more line${rest === 1 ? '' : 's'})`;
}
