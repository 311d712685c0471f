import { quotePath } from '../file-error.ts';
import type { LineRange } from './line-breaks.ts';
import type { EditedText, MatchStage } from './replacement.ts';

/** What to know of a text that was not there as it was sought. */
const remarks: Readonly<Partial<Record<MatchStage, string>>> = {
  blanks: 'Blanks at the ends of lines differ from what was sought, and stay as the file has them.',
  characters: 'Quotes, dashes, spaces or the like differ from what was sought, and stay as the file has them.',
  indentation: 'The lines are indented otherwise than what was sought, and so are the new ones.',
};

/** Where a file was edited, and how that differs from what was asked for, in sentences for a model. */
export function tellEdit({ places }: EditedText, path: string): string {
  const ranges = places.map(({ newLines }) => newLines);
  const stages = new Set(places.map(({ stage }) => stage));
  const said = [...stages].flatMap((stage) => remarks[stage] ?? []);
  return [`Edited ${quotePath(path)} ${placesOf(ranges)}.`, ...said].join(' ');
}

function placesOf(ranges: readonly LineRange[]): string {
  const shown = ranges.slice(0, 20).map(({ start, end }) => (end > start ? `${start}-${end}` : String(start)));
  const lines = shown.join(', ') + (ranges.length > shown.length ? ', …' : '');
  if (ranges.length > 1) return `in ${ranges.length} places, on lines ${lines}`;
  return ranges.every(({ start, end }) => end === start) ? `on line ${lines}` : `on lines ${lines}`;
}
