import type { TextChange } from './changes.ts';
import { commonBeginning, commonEnding } from './common.ts';
import { written } from './exact.ts';
import { endWithoutBlanks, toForm } from './form.ts';
import type { Form, FormRules } from './form.ts';
import { hunksOf } from './hunks.ts';
import type { Hunk } from './hunks.ts';
import { splitAt } from './indivisible.ts';
import { toLf } from './line-breaks.ts';
import type { Match } from './match.ts';
import { occurrencesOf } from './occurrences.ts';
import type { Replacement } from './replacement.ts';
import type { Source } from './source.ts';

/** The two texts of a replacement, and the form of the old one. */
interface Texts {
  readonly form: Form;
  readonly oldText: string;
  readonly newText: string;
}

interface Sought extends Texts {
  /** True if the text ended in whitespace, so that a match must end at the end of a line. */
  readonly endsLine: boolean;
}

/** Finds a text in a form that ignores differences. A text of whitespace only must match exactly. */
export function* findInForm(source: Source, replacement: Replacement, rules: FormRules): Generator<Match> {
  const sought = toSought(replacement, rules);
  const form = source.form(rules);
  if (sought === undefined || form === undefined) return;
  if (sought.form.text === '' || (rules.blanks && sought.form.text.trim() === '')) return;
  const { length } = sought.form.text;
  let known: readonly Part[] | undefined;
  const parts = (): readonly Part[] => (known ??= partsOf(sought, rules));
  const isWhole = (at: number): boolean =>
    form.isBoundary(at) &&
    form.isBoundary(at + length) &&
    (!sought.endsLine || form.text[at + length] === '\n') &&
    (replacement.lines !== true || at === 0 || form.text[at - 1] === '\n');
  for (const at of occurrencesOf(form.text, sought.form.text)) {
    if (!isWhole(at)) continue;
    const [start, end] = [form.startOf(at), form.endOf(at + length - 1)];
    const isInOnePiece = splitAt(source.text, start) === undefined && splitAt(source.text, end) === undefined;
    if (start === end || !isInOnePiece) continue;
    const changes = () => parts().map((part) => toChange(source, { form, at: at + part.at }, part));
    yield { start, end, size: sought.newText.length, changes };
  }
}

/** Undefined if the old text has too many units for a form. */
function toSought(replacement: Replacement, rules: FormRules): Sought | undefined {
  const [oldText, newText] = [toLf(replacement.oldText), toLf(replacement.newText)];
  const end = rules.blanks ? endOfLastLine(oldText) : oldText.length;
  const endsLine = end < oldText.length;
  const trimmed = endsLine
    ? { oldText: oldText.slice(0, end), newText: newText.slice(0, endOfLastLine(newText)) }
    : { oldText, newText };
  const form = toForm(trimmed.oldText, rules);
  return form && { ...trimmed, form, endsLine };
}

/** End of a text without the trailing whitespace of its last line. */
function endOfLastLine(text: string): number {
  return endWithoutBlanks(text, text.lastIndexOf('\n') + 1, text.length);
}

/** Lines that differ between the two texts. */
interface Part extends Texts {
  /** Position in the form of the old text. */
  readonly at: number;
}

function partsOf({ form, oldText, newText }: Texts, rules: FormRules): readonly Part[] {
  const [oldLines, newLines] = [toLines(oldText), toLines(newText)];
  // Lines after the last one begin after its line break, which the text may lack.
  const comesLast = (hunk: Hunk): boolean => hunk.oldStart === oldLines.length;
  let [line, at] = [0, 0];
  return hunksOf(oldLines, newLines, comesLast).flatMap(({ oldStart, oldEnd, newStart, newEnd }) => {
    for (; line < oldStart; line++) at = form.text.indexOf('\n', at) + 1;
    const part = oldLines.slice(oldStart, oldEnd).join('');
    const formOfPart = toForm(part, rules);
    if (formOfPart === undefined) return []; // unreachable: the whole text has a line break
    return [{ at, form: formOfPart, oldText: part, newText: newLines.slice(newStart, newEnd).join('') }];
  });
}

/** Lines with their line breaks. */
function toLines(text: string): readonly string[] {
  return text.split(/(?<=\n)/);
}

interface Place {
  readonly form: Form;
  /** Position in the form. */
  readonly at: number;
}

/** Changes at one place: only the difference of the two texts is written; the rest stays as it is in the file. */
function toChange(source: Source, place: Place, sought: Texts): TextChange {
  const { form, at } = place;
  const { length } = sought.form.text;
  const head = unitsBefore(place, sought);
  const keptBefore = head === 0 ? 0 : sought.form.endOf(head - 1);
  const tail = unitsBehind(place, sought, { head, keptBefore });
  const keptBehind = tail === length ? 0 : sought.oldText.length - sought.form.startOf(tail);

  const start = head === 0 ? form.startOf(at) : form.endOf(at + head - 1);
  const end = tail === length && length > 0 ? form.endOf(at + length - 1) : form.startOf(at + tail);
  const inserted = sought.newText.slice(keptBefore, sought.newText.length - keptBehind);
  // At the end of a text without a final line break, the searched one is missing, and none is added.
  const endsOpen = form.isOpen && tail === length && at + length === form.text.length;
  const added = endsOpen ? inserted.replace(/\n$/, '') : inserted;
  return { start, oldText: source.text.slice(start, end), newText: written(source, start, added) };
}

/** Length of the common prefix of the two texts, in the form. */
function unitsBefore({ form, at }: Place, { form: sought, oldText, newText }: Texts): number {
  const common = commonBeginning(oldText, newText);
  let head = 0;
  const most = Math.min(sought.text.length, form.text.length - at - (form.isOpen ? 1 : 0));
  for (let index = 1; index <= most && sought.endOf(index - 1) <= common; index++)
    if (sought.isBoundary(index) && form.isBoundary(at + index)) head = index;
  return head;
}

interface Head {
  readonly head: number;
  readonly keptBefore: number;
}

/** Start of their common suffix, in the form. */
function unitsBehind(
  { form, at }: Place,
  { form: sought, oldText, newText }: Texts,
  { head, keptBefore }: Head,
): number {
  const common = oldText.length - commonEnding(oldText, newText, keptBefore);
  let tail = sought.text.length;
  for (let index = tail - 1; index >= head && sought.startOf(index) >= common; index--)
    if (sought.isBoundary(index) && form.isBoundary(at + index)) tail = index;
  return tail;
}
