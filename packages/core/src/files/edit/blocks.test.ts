import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUtensilError } from '../../base/errors.ts';
import { readBlocks } from './blocks.ts';
import type { Replacement } from './replacement.ts';

const line = fc.constantFrom(
  'a',
  '',
  '  b',
  '<<<',
  '==',
  'SEARCH',
  '> REPLACE',
  '```',
  '-- SEARCH',
  '\ta\t',
  '<<<<<<< HEAD',
);
const linesOf = (least: number) => fc.array(line, { minLength: least, maxLength: 4 });

const block = fc
  .record({ search: linesOf(1), replace: linesOf(0), all: fc.boolean() })
  .filter(({ search, replace }) => search.join('\n') !== replace.join('\n') || search.length !== replace.length);

const styles = [
  { open: '<<<<<<<', close: '>>>>>>>' },
  { open: '-------', close: '+++++++' },
];

/** `read` if the blocks can be parsed, otherwise the message. */
function outcomeOf(diff: string): string {
  try {
    return readBlocks(diff).every(({ oldText, newText }) => oldText !== '' && oldText !== newText) ? 'read' : 'useless';
  } catch (error) {
    return isUtensilError(error, 'invalid_input') ? error.message : 'no error of ours';
  }
}

describe('readBlocks', () => {
  it('reads what was written as blocks', () => {
    const property = fc.property(
      fc.array(block, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...styles),
      fc.constantFrom('\n', '\r\n'),
      (blocks, { open, close }, lineBreak) => {
        const diff = blocks.flatMap(({ search, replace, all }) => {
          const suffix = all ? '_ALL' : '';
          return [`${open} SEARCH${suffix}`, ...search, '=======', ...replace, `${close} REPLACE${suffix}`];
        });
        const closed = (lines: readonly string[]): string => lines.map((each) => `${each}\n`).join('');
        const expected = blocks.map(({ search, replace, all }): Replacement => ({
          oldText: closed(search),
          newText: closed(replace),
          lines: true,
          all,
        }));
        expect(readBlocks(diff.join(lineBreak))).toEqual(expected);
      },
    );
    expect(() => fc.assert(property, { numRuns: 300 })).not.toThrow();
  });

  it('refuses everything else with words, whatever the markers are', () => {
    const part = fc.oneof(
      line,
      fc.constantFrom(
        '<<<<<<< SEARCH',
        '=======',
        '>>>>>>> REPLACE',
        '<<<<<<< SEARCH_ALL',
        '>>>>>>> REPLACE_ALL',
        '=====',
      ),
    );
    const property = fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      expect(outcomeOf(parts.join('\n'))).toMatch(/^(?:read|Malformed diff: .+\.)$/);
    });
    expect(() => fc.assert(property, { numRuns: 1000 })).not.toThrow();
  });

  it.each(['<', '=', '- ', '`', ' '])('comes to an end with a line of nothing but %j', (character) => {
    expect(() => readBlocks(`${character.repeat(200_000)}x\``)).toThrow('Malformed diff: line 1 is outside of a block');
  });
});
