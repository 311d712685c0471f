import { quotePath } from '../file-error.ts';
import { abridgeList } from './abridge.ts';
import type { LineRange } from './line-breaks.ts';
import type { EditedText, MatchStage } from './replacement.ts';

/** Note on a match that was not exact. */
const remarks: Readonly<Partial<Record<MatchStage, string>>> = {
  blanks: 'Trailing blanks differ from the search text; unchanged parts are kept as in the file.',
  characters:
    'Quotes, dashes, spaces or similar characters differ from the search text; unchanged parts are kept as in the file.',
  indentation: 'The indentation differs from the search text; the new lines are shifted to match.',
};

/** Describes the changed places, and how they differ from the request, in sentences for a model. */
export function tellEdit({ places }: EditedText, path: string): string {
  const stages = new Set(places.map(({ stage }) => stage));
  const said = [...stages].flatMap((stage) => remarks[stage] ?? []);
  return [`Edited ${quotePath(path)} ${placesOf(places.map(({ newLines }) => newLines))}.`, ...said].join(' ');
}

/** Number of places and their lines, of which at most 20 are listed. */
function placesOf(ranges: readonly LineRange[]): string {
  const lines = [...new Set(ranges.map(({ start, end }) => (end > start ? `${start}-${end}` : String(start))))];
  const shown = abridgeList(lines, { most: 20 });
  const where = `on ${/^\d+$/.test(shown) ? 'line' : 'lines'} ${shown}`;
  return ranges.length > 1 ? `in ${ranges.length} places, ${where}` : where;
}
