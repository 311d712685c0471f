import { type Files, isUtensilError, type JsonObject } from '@utensil/core';

/** A line that a call would take away or add. */
export interface ChangedLine {
  readonly sign: '-' | '+';
  readonly text: string;
}

/** What a call would change in a file, as far as its input tells. */
export async function previewOf(input: JsonObject, files: Files): Promise<readonly ChangedLine[]> {
  const { old_str: oldText, new_str: newText, insert_text: inserted, file_text: text, command, path } = input;
  if (typeof oldText === 'string') return difference(oldText, typeof newText === 'string' ? newText : '');
  if (typeof inserted === 'string') return difference('', inserted);
  if (typeof text !== 'string') return [];
  const before = command === 'create' && typeof path === 'string' ? await textAt(path, files) : '';
  return difference(before, text);
}

async function textAt(path: string, files: Files): Promise<string> {
  try {
    return (await files.readText(path)).text;
  } catch (error) {
    if (isUtensilError(error)) return ''; // there is none, or the call will say why not
    throw error;
  }
}

/** The lines from the first that differs to the last that differs. */
export function difference(before: string, after: string): readonly ChangedLine[] {
  const [old, young] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, young.length);
  let start = 0;
  while (start < most && old[start] === young[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === young.at(-1 - end)) end++;
  return [
    ...old.slice(start, old.length - end).map((text) => ({ sign: '-', text }) as const),
    ...young.slice(start, young.length - end).map((text) => ({ sign: '+', text }) as const),
  ];
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
