import type { Preview } from './tool.ts';
import { abridgeText } from '../files/edit/abridge.ts';
import type { Files } from '../files/files.ts';
import { effectAt } from '../files/instructions.ts';

/** Input of a preview of changes. */
export interface PreviewedChanges {
  readonly files: Pick<Files, 'keepsVersions'>;
  /** The paths of the call; what is below them may change too. */
  readonly paths: readonly string[];
  readonly changes: Preview['changes'];
}

/** Limits of what a preview shows: of a file that is only named, and of all files together, in characters. */
const most = { lines: 12, characters: 1_000, together: 200_000 };

/**
 * The preview of a call that changes nothing but files. It can be undone if it only makes files, or if the storage keeps
 * versions; never where files are obeyed later (see {@link effectAt}). A file that is deleted is shown by its first lines,
 * and so is every file behind the first 200,000 characters.
 */
export function changesPreview({ files, paths, changes }: PreviewedChanges): Preview {
  const isHarmless = effectAt('write', [...paths, ...changes.map(({ path }) => path)]) === 'write';
  const onlyMakes = changes.length > 0 && changes.every(({ before }) => before === undefined);
  const undoable = isHarmless && (onlyMakes || files.keepsVersions === true);
  return { type: 'changes', changes: bounded(changes), ...(undoable && { undoable }) };
}

/** What is cut for its length follows more than a person looks through: such a preview never counts as seen. */
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
