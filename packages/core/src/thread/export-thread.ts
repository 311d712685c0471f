import { toJson } from '../base/json.ts';
import { toStored } from './entry-shape.ts';
import type { Thread } from './thread.ts';

/** Format identifier of an exported thread. */
export const format = 'utensil-thread';

/** Format version that is written. */
export const version = 1;

/**
 * Exports a thread as text, for a bug report or a test: one line of JSON per entry, runs inside it included. Free of
 * secrets and host paths, as the thread itself is; contains everything that people, models and tools wrote.
 *
 * @example
 * ```ts
 * import { memoryThread } from '@utensil/core';
 * import { exportThread } from '@utensil/core/thread';
 *
 * const thread = memoryThread('first');
 * await thread.append([{ type: 'message', message: { id: '1', role: 'user', parts: [], createdAt: 0 } }]);
 * const text = await exportThread(thread); // for `replayThread` of @utensil/core/testing
 * if (text.split('\n').length !== 3) throw new Error('unexpected');
 * ```
 */
export async function exportThread(thread: Thread): Promise<string> {
  const lines = await linesOf(thread, []);
  return [{ format, version, id: thread.id, lines: lines.length }, ...lines]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

async function linesOf(thread: Thread, runs: readonly string[]): Promise<readonly object[]> {
  const { entries, draft } = await thread.read();
  const place = runs.length > 0 && { runs };
  const lines: object[] = entries.map(({ entry }) => ({ ...place, entry: toStored(entry) }));
  if (draft !== undefined) lines.push({ ...place, draft: toJson(draft) });
  for (const runId of (await thread.children?.()) ?? []) {
    const child = thread.child?.(runId);
    if (child !== undefined) lines.push(...(await linesOf(child, [...runs, runId])));
  }
  return lines;
}
