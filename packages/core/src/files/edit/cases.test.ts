import { describe, expect, it } from 'vitest';
import { isUtensilError } from '../../base/errors.ts';
import { decodeFile } from '../text.ts';
import { readBlocks } from './blocks.ts';
import { editCases } from './cases/cases.ts';
import { editCaseBytes, editTags } from './cases/edit-case.ts';
import type { EditCase } from './cases/edit-case.ts';
import { applyChanges, invertChanges } from './changes.ts';
import { editBytes } from './edit-file.ts';
import { tellEdit } from './tell-edit.ts';

interface Outcome {
  readonly bytes: Uint8Array;
  readonly says: string;
  readonly code?: string;
}

function outcomeOf(each: EditCase): Outcome {
  const before = editCaseBytes(each.file, each);
  try {
    const replacements = typeof each.edit === 'string' ? readBlocks(each.edit) : each.edit;
    const edited = editBytes(before, replacements, '/f');
    return { bytes: edited.bytes, says: tellEdit(edited, '/f') };
  } catch (error) {
    if (!isUtensilError(error)) throw error;
    return { bytes: before, says: error.message, code: error.code };
  }
}

describe('the table of edits', () => {
  it.each(editCases)('$title', (each) => {
    const { after = each.file, says, code } = each;
    expect(outcomeOf(each)).toEqual({
      bytes: editCaseBytes(after, each),
      says,
      ...(code === undefined ? {} : { code }),
    });
  });

  it.each(editCases.filter(({ after }) => after !== undefined))('is undone: $title', (each) => {
    const before = editCaseBytes(each.file, each);
    const replacements = typeof each.edit === 'string' ? readBlocks(each.edit) : each.edit;
    const { bytes, places } = editBytes(before, replacements, '/f');
    const { text } = decodeFile(bytes, '/f');
    expect(applyChanges(text, invertChanges(places))).toBe(each.file);
  });

  it('[A2-09] has at least 280 cases of 49 behaviours, none of them twice', () => {
    expect(editCases.length).toBeGreaterThanOrEqual(280);
    expect(new Set(editCases.map(({ title }) => title)).size).toBe(editCases.length);
    expect(new Set(editCases.map(({ file, edit, stored }) => JSON.stringify([file, edit, stored]))).size).toBe(
      editCases.length,
    );
    expect(editTags).toHaveLength(49);
    expect([...new Set(editCases.flatMap(({ tags }) => tags))].sort()).toEqual([...editTags]);
  });

  it.each([
    ['exact', 36],
    ['literal', 17],
    ['unique', 9],
    ['ambiguous', 12],
    ['all', 20],
    ['overlap', 8],
    ['adjacent', 3],
    ['line-breaks', 23],
    ['mixed-line-breaks', 5],
    ['final-newline', 14],
    ['trailing-blanks', 21],
    ['quotes', 21],
    ['indentation', 23],
    ['formatter', 9],
    ['several-hunks', 5],
    ['bom', 8],
    ['utf-16', 5],
    ['binary', 6],
    ['dollar', 10],
    ['not-found', 37],
    ['nearest', 13],
    ['several', 21],
    ['blocks', 50],
    ['malformed', 18],
  ] as const)('shows %s in at least %i cases', (tag, count) => {
    expect(editCases.filter(({ tags }) => tags.includes(tag)).length).toBeGreaterThanOrEqual(count);
  });

  it('shows at least eight ways in which a diff is malformed, each in words of its own', () => {
    const said = editCases.filter(({ tags }) => tags.includes('malformed')).map(({ says }) => says.replace(/\d+/g, ''));
    expect(said.every((says) => says.startsWith('Malformed diff: '))).toBe(true);
    expect(new Set(said).size).toBeGreaterThanOrEqual(8);
  });
});
