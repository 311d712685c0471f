import { UtensilError } from '../base/errors.ts';
import { isObject, isTooDeep } from '../base/json.ts';
import { fromStored } from './entry-shape.ts';
import { format, version } from './export-thread.ts';
import { memoryThread } from './memory-thread.ts';
import { isMessage } from './message-shape.ts';
import type { Thread } from './thread.ts';

/**
 * Creates a thread in memory from the output of `exportThread`.
 *
 * @throws `bundle_corrupt` if the text is damaged, or is not an exported thread; `bundle_newer` if a later version exported it.
 */
export async function importThread(text: string): Promise<Thread> {
  const [first = '', ...rest] = text.trimEnd().split('\n');
  const head = parsed(first);
  if (!isObject(head) || head['format'] !== format || typeof head['id'] !== 'string')
    throw corrupt('Its first line does not say that it is one.');
  if (typeof head['version'] !== 'number' || head['version'] > version) throw newer(head['version']);
  if (rest.length !== head['lines'])
    throw corrupt(`It has ${rest.length} lines of ${String(head['lines'])}: the rest is missing.`);
  const thread = memoryThread(head['id']);
  for (const [index, line] of rest.entries()) await addLine(thread, parsed(line), index + 2);
  return thread;
}

/** Maximum depth of a line: more than calls and results have, less than recursive code can take. */
const mostLevels = 2_000;

async function addLine(thread: Thread, line: unknown, number: number): Promise<void> {
  if (isTooDeep(line, mostLevels)) throw corrupt(`Line ${number} is nested deeper than any entry.`);
  const { runs = [], entry: stored, draft } = isObject(line) ? line : {};
  const entry = fromStored(stored);
  const added = entry ?? (isMessage(draft) ? ({ type: 'draft', message: draft } as const) : undefined);
  if (added === undefined || !isIds(runs)) throw corrupt(`Line ${number} is not an entry of a thread.`);
  const place = runs.reduce((outer: Thread, runId) => outer.child?.(runId) ?? outer, thread);
  try {
    await place.append([added]);
  } catch (cause) {
    throw corrupt(`Line ${number} repeats a message.`, cause);
  }
}

function isIds(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function corrupt(why: string, cause?: unknown): UtensilError {
  return new UtensilError(
    'bundle_corrupt',
    `This is not an exported thread, or it is damaged. ${why} Export it again.`,
    {
      cause,
    },
  );
}

function newer(found: unknown): UtensilError {
  const problem = `This thread was exported in format version ${String(found)}; this is version ${version}. Update Utensil.`;
  return new UtensilError('bundle_newer', problem);
}
