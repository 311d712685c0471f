import { abridgeText } from './abridge.ts';
import { commonBeginning, commonEnding } from './common.ts';
import { splitAt } from './indivisible.ts';

/** A file before and after a change. An absent text means that the file does not exist. */
export interface ChangedText {
  readonly before?: string;
  readonly after?: string;
}

/** Number of characters shown of a text, and of the unchanged text on either side of a change. */
const most = { whole: 100_000, around: 1_000 };

/**
 * Shortens a change for review: of long texts, only the part that differs, with some context.
 *
 * @example
 * ```ts
 * import { excerptOfChange } from '@utensil/core/edit';
 *
 * const rest = 'more and more\\n'.repeat(100_000);
 * const { before = '' } = excerptOfChange({ before: `one\\n${rest}`, after: `two\\n${rest}` });
 * console.log(before.length < 2_000); // true
 * ```
 */
export function excerptOfChange({ before, after }: ChangedText): ChangedText {
  const [left, right] = [before ?? '', after ?? ''];
  const same = commonBeginning(left, right);
  const sameEnd = commonEnding(left, right, same);
  const head = toWhole(left, same - most.around);
  const tail = left.length - toWhole(left, left.length - sameEnd + most.around);
  const excerpt = (text: string): string => {
    const part = abridgeText(text.slice(head, text.length - tail), most.whole);
    return `${head > 0 ? `${unchanged(head)}\n` : ''}${part}${tail > 0 ? `\n${unchanged(tail)}` : ''}`;
  };
  const isShort = left.length <= most.whole && right.length <= most.whole;
  return {
    ...(before !== undefined && { before: isShort ? before : excerpt(before) }),
    ...(after !== undefined && { after: isShort ? after : excerpt(after) }),
  };
}

/** An offset that does not split a character. */
function toWhole(text: string, offset: number): number {
  const within = Math.min(Math.max(offset, 0), text.length);
  return splitAt(text, within) === undefined ? within : within - 1;
}

function unchanged(count: number): string {
  return `(${count.toLocaleString('en')} characters that stay)`;
}
