import { isUtensilError } from '@utensil/core';
import type { Files } from '@utensil/core';
import { fill, listTwoLevels, showLines, splitLines } from '@utensil/core/file-commands';
import { leftOut, root } from './root.ts';
import { promptTexts } from './texts.ts';

const readmePath = `${root}/README.md`;

/** Maximum characters of the README, and of the listing, in the prompt. */
const promptLimit = 32_000;

/** The prompt: usage instructions, the list of files, and the README. */
export async function memoryPrompt(files: Files, { withUsage }: { readonly withUsage: boolean }): Promise<string> {
  const usage = withUsage ? [promptTexts.usage] : [];
  return [promptTexts.heading, ...usage, promptTexts.files, await listing(files), ...(await readme(files))].join(
    '\n\n',
  );
}

async function listing(files: Files): Promise<string> {
  const entries = (await files.stat(root)) === undefined ? [] : await listTwoLevels(files, { path: root, leftOut });
  if (entries.length === 0) return promptTexts.empty;
  const lines = entries.map(({ path }) => `\t${path}`);
  const { text, last } = showLines(lines, { first: 1, last: lines.length, numbered: false, limit: promptLimit });
  const note =
    last < lines.length ? `\n${fill(promptTexts.listingTruncated, { shown: last, total: lines.length })}` : '';
  return fill(promptTexts.listing, { listing: text + note });
}

async function readme(files: Files): Promise<readonly string[]> {
  const text = await readText(files);
  if (text === undefined) return [];
  const lines = splitLines(text);
  const shown = showLines(lines, { first: 1, last: lines.length, numbered: false, limit: promptLimit });
  const isCut = shown.last < lines.length || shown.cutTo !== undefined;
  const note = isCut ? `\n${fill(promptTexts.contentTruncated, { last: shown.last, total: lines.length })}` : '';
  return [promptTexts.readme, fill(promptTexts.content, { content: shown.text + note })];
}

/** The README; undefined if it is missing or unreadable. */
async function readText(files: Files): Promise<string | undefined> {
  try {
    return (await files.readText(readmePath)).text;
  } catch (error) {
    if (isUtensilError(error)) return undefined;
    throw error;
  }
}
