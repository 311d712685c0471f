import { abridgeList } from '../files/edit/abridge.ts';
import { limits } from '../files/edit/limits.ts';
import { mediaTypeOf } from '../files/media-type.ts';
import { isUtensilError } from '../base/errors.ts';
import { done, refused } from './call.ts';
import type { Call, CommandAnswer } from './call.ts';
import { fromDataUrl } from './data-url.ts';
import { splitLines } from './lines.ts';
import { showRange } from './view.ts';

/** Creates a file, or replaces one with `overwrite`. */
export async function create({ files, path, root, input, texts, values }: Call): Promise<CommandAnswer> {
  if (path === root) return refused(texts.createRoot, values);
  const existing = await files.stat(path);
  if (existing?.kind === 'directory') return refused(texts.writeToDirectory, values);
  const overwrite = input.overwrite === true;
  if (existing !== undefined && !overwrite) return refused(texts.fileExists, values);
  const text = input.file_text ?? '';
  const bytes = texts.binaryCreated === undefined ? undefined : fromDataUrl(text);
  if (bytes === null) return refused(texts.invalidDataUrl ?? texts.failed, values);
  await files.write(path, bytes ?? text, { create: overwrite ? 'may' : 'must' });
  return done(bytes === undefined ? texts.created : (texts.binaryCreated ?? texts.created), values);
}

/** Replaces the only occurrence of a text. */
export async function replace(call: Call): Promise<CommandAnswer> {
  const { files, path, input, texts, values } = call;
  const oldText = input.old_str ?? '';
  if (oldText === '') return refused(texts.oldTextEmpty, values);
  if (await isKnownBinary(call)) return refused(texts.editBinary, values);
  try {
    const { text, ranges } = await files.edit(path, { oldText, newText: input.new_str ?? '' });
    const lines = splitLines(text);
    const [{ start, end } = { start: 1, end: 1 }] = ranges;
    const last = Math.min(end + context, lines.length);
    const snippet = showRange(call, lines, { first: Math.max(start - context, 1), last, end: last });
    return done(`${texts.replaced}\n{snippet}`, { ...values, snippet });
  } catch (error) {
    if (!isUtensilError(error, 'string_not_unique')) throw error;
    const { lines = [], count } = error;
    return refused(texts.oldTextNotUnique, { ...values, lines: abridgeList(lines, { most: limits.lines, count }) });
  }
}

/** Number of context lines shown around a replacement. */
const context = 3;

/** Inserts whole lines. */
export async function insert(call: Call): Promise<CommandAnswer> {
  const { files, path, input, texts, values } = call;
  if (await isKnownBinary(call)) return refused(texts.editBinary, values);
  try {
    await files.insertLines(path, input.insert_line ?? 0, input.insert_text ?? '');
    return done(texts.inserted, values);
  } catch (error) {
    if (!isUtensilError(error, 'invalid_line')) throw error;
    return refused(texts.invalidLine, { ...values, total: error.lines?.at(-1) ?? 0 });
  }
}

/** Appends to a file, or creates it. */
export async function append(call: Call): Promise<CommandAnswer> {
  const { files, path, root, input, texts, values } = call;
  if (path === root) return refused(texts.appendRoot, values);
  const existing = await files.stat(path);
  if (existing?.kind === 'directory') return refused(texts.writeToDirectory, values);
  if (existing !== undefined && (await isKnownBinary(call))) return refused(texts.appendBinary, values);
  await files.append(path, input.file_text ?? '');
  return done(existing === undefined ? texts.created : texts.appended, values);
}

/** True if a file is in a binary format, even if its bytes happen to be text, as in a small PDF. */
async function isKnownBinary({ files, path }: Call): Promise<boolean> {
  const { bytes } = await files.read(path, { start: 0, end: 16 });
  return !['text/plain', 'application/octet-stream'].includes(mediaTypeOf(bytes));
}
