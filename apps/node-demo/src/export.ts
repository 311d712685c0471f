import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Thread, UtensilError } from '@utensil/core';
import { exportThread } from '@utensil/core/thread';

/** Exports a conversation to a new file, for a bug report. Returns its path. */
export async function exportConversation(thread: Thread, from: string, name?: string): Promise<string> {
  const path = resolve(from, name ?? `conversation-${thread.id.slice(0, 8)}.jsonl`);
  const { entries } = await thread.read({ limit: 1 });
  if (entries.length === 0)
    throw new UtensilError('invalid_input', 'There is nothing to export: nothing was said yet.');
  try {
    await writeFile(path, await exportThread(thread), { flag: 'wx' });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const why = code === 'EEXIST' ? 'there is such a file already' : code;
    throw new UtensilError('invalid_input', `${path} cannot be written (${why}): name another file.`, { cause });
  }
  return path;
}
