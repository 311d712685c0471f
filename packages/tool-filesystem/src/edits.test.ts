import { createFiles, runTool } from '@utensil/core';
import type { Files, JsonObject } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filesystemTool } from './filesystem.ts';

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

async function ask(files: Files, input: JsonObject): Promise<Answer> {
  const { output, isError } = await runTool(filesystemTool, input, { host: { files } });
  return { text: String(output), isError };
}

async function filesWith(content: string | Uint8Array): Promise<Files> {
  const files = createFiles(memoryStorage());
  await files.write('/f', content);
  return files;
}

const encode = (raw: string): Uint8Array => new TextEncoder().encode(raw);

/** All characters of a file, including its byte order mark. */
async function rawText(files: Files): Promise<string> {
  const { bytes } = await files.read('/f');
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

describe('what it says', () => {
  it('names the lines of the first hundred occurrences, and counts the others', async () => {
    const files = await filesWith('x,'.repeat(400_000));
    const { text } = await ask(files, { command: 'str_replace', path: '/f', old_str: 'x', new_str: 'y' });
    const lines = Array.from({ length: 100 }, () => '1').join(', ');
    expect(text).toBe(
      `No replacement was performed. Multiple occurrences of old_str \`x\` in lines: ${lines} and 399,900 more. Please ensure it is unique`,
    );
  });

  it('names the lines of a hundred occurrences as it always did', async () => {
    const files = await filesWith('x\n'.repeat(100));
    const { text } = await ask(files, { command: 'str_replace', path: '/f', old_str: 'x', new_str: 'y' });
    const lines = Array.from({ length: 100 }, (_, index) => index + 1).join(', ');
    expect(text).toBe(
      `No replacement was performed. Multiple occurrences of old_str \`x\` in lines: ${lines}. Please ensure it is unique`,
    );
  });

  const long = 'long '.repeat(200_000);
  it.each<[string, string, JsonObject]>([
    ['a text that is missing', 'x\n', { command: 'str_replace', path: '/f', old_str: long, new_str: '' }],
    [
      'a text that is there twice',
      `${long}${long}`,
      { command: 'str_replace', path: '/f', old_str: long, new_str: '' },
    ],
    ['a text that takes its place', 'x\n', { command: 'str_replace', path: '/f', old_str: 'x', new_str: long }],
    ['a line that is inserted', 'x\n', { command: 'insert', path: '/f', insert_line: 7, insert_text: long }],
    ['a command', 'x\n', { command: long }],
    ['a path', 'x\n', { command: 'view', path: `/${long}` }],
    ['a path of many', 'x\n', { command: 'view-all', paths: [`/${long}`, `../${long}`] }],
    ['a range', 'x\n', { command: 'view', path: '/f', view_range: Array.from({ length: 100_000 }, () => 7) }],
    ['many paths', 'x\n', { command: 'view-all', paths: Array.from({ length: 20_000 }, () => '/f') }],
    ['many missing paths', 'x\n', { command: 'view-all', paths: Array.from({ length: 20_000 }, (_, at) => `/${at}`) }],
    ['a line of a file', long, { command: 'view', path: '/f' }],
  ])('is bounded, however long %s is', async (_what, content, input) => {
    const { text } = await ask(await filesWith(content), input);
    expect(text.length).toBeLessThan(20_000);
  });
});

describe('what it costs', () => {
  it('is one pass where a long line is replaced in many places by several lines', async () => {
    const files = await filesWith('x,'.repeat(400_000));
    const { ranges } = await files.edit('/f', { oldText: 'x', newText: '\n', all: true });
    expect(ranges).toHaveLength(400_000);
    expect(ranges.at(-1)).toEqual({ start: 400_000, end: 400_000 });
  });

  it('is refused where the text would grow beyond what a file may be, before it is written', async () => {
    const files = await filesWith('x'.repeat(10_000));
    const edit = { oldText: 'x', newText: 'y'.repeat(100_000), all: true };
    await expect(files.edit('/f', edit)).rejects.toMatchObject({ code: 'EFBIG' });
  });

  it('is refused if there are more places than an edit can give', async () => {
    const files = await filesWith('x'.repeat(1_000_001));
    const edit = files.edit('/f', { oldText: 'x', newText: 'y', all: true });
    await expect(edit).rejects.toMatchObject({
      code: 'EINVAL',
      message: expect.stringContaining('more than 1,000,000 times'),
    });
  });
});

/** True if a text occurs exactly once. */
function isUnique(raw: string, sought: string): boolean {
  return sought !== '' && !raw.includes(sought, raw.indexOf(sought) + 1);
}

/** Parts of the old text that the new text keeps: nothing, the first and last character, all but one letter. */
const keeping: Readonly<Record<string, (oldText: string, newText: string) => string>> = {
  nothing: (_oldText, newText) => newText,
  edges: (oldText, newText) => `${oldText.charAt(0)}${newText}${oldText.slice(-1)}`,
  'line breaks': (oldText) => oldText.replace(/[ab]/, 'c'),
};

interface Edit {
  readonly raw: string;
  readonly oldText: string;
  readonly newText: string;
  readonly keeps: string;
}

const piece = fc.constantFrom(...['a', 'b', ' ', '\n', '\r\n', '\r', '\r\r\n', '😀', '😁', '\ufeff', 'é', 'e\u0301']);
const pieces = (maxLength: number) => fc.array(piece, { maxLength }).map((parts) => parts.join(''));

/** A file, any part of it, and a replacement. */
const anyEdit: fc.Arbitrary<Edit> = fc
  .record({
    mark: fc.constantFrom('', '\ufeff'),
    text: pieces(12),
    from: fc.nat(),
    length: fc.integer({ min: 1, max: 8 }),
    inserted: pieces(3),
    keeps: fc.constantFrom(...Object.keys(keeping)),
  })
  .map(({ mark, text, from, length, inserted, keeps }) => {
    const raw = mark + text;
    const start = from % Math.max(raw.length, 1);
    const oldText = raw.slice(start, start + length);
    return { raw, oldText, newText: keeping[keeps]?.(oldText, inserted) ?? '', keeps };
  });

/** True if only the part was replaced, or the whole CRLF that starts before an LF in it. */
function isReplaced(after: string, { raw, oldText, newText, keeps }: Edit): boolean {
  const start = raw.indexOf(oldText);
  // Written line breaks are those of the file.
  const isAdapted = newText.includes('\n') && keeps !== 'line breaks';
  const comparable = (text: string): string => (isAdapted ? text.replaceAll(/\r*\n/g, '\n') : text);
  const halves = raw[start - 1] === '\r' && oldText.startsWith('\n') ? [0, 1] : [0];
  const left = halves.map((half) => raw.slice(0, start - half) + newText + raw.slice(start + oldText.length));
  return left.map(comparable).includes(comparable(after));
}

describe('a text that is in a file character for character', () => {
  const reasons = ['between the CR and the LF', 'in half of a surrogate pair', 'with the byte order mark', 'EILSEQ'];

  it('is replaced as in any string, or it is said truly why not', async () => {
    const seen = new Set<string>();
    const property = fc.asyncProperty(anyEdit, async (edit) => {
      const { raw, oldText, newText } = edit;
      fc.pre(isUnique(raw, oldText));
      const files = await filesWith(encode(raw));
      const input = { command: 'str_replace', path: '/f', old_str: oldText, new_str: newText };
      const { text, isError } = await ask(files, input);
      const after = await rawText(files);
      seen.add(isError ? (reasons.find((reason) => text.includes(reason)) ?? text) : 'done');
      expect({ after, isRight: isError ? after === raw : isReplaced(after, edit) }).toEqual({ after, isRight: true });
    });
    await fc.assert(property, { numRuns: 3000, seed: 7 });
    expect(seen).toEqual(new Set([...reasons, 'done']));
  });
});
