import { isObject, textOf } from '@utensil/core';
import type { Message, RecordStore } from '@utensil/core';
import { exampleOf } from './examples.ts';

const record = 'titles';
const longest = 60;

/** Title of a conversation: that of its example, or the beginning of its first message. */
export function titleOf(messages: readonly Message[]): string {
  const first = messages.find(({ role }) => role === 'user');
  if (first === undefined) return '';
  const text = textOf(first.parts).trim();
  if (text === '') return attachedName(first) ?? '';
  return exampleOf(text)?.title ?? shortened(text.split('\n')[0] ?? '');
}

function attachedName({ parts }: Message): string | undefined {
  const names = parts.map((part) => (part.type === 'file' || part.type === 'audio' ? part.name : undefined));
  return names.find((name) => name !== undefined);
}

/** Cuts between words, if there are any. */
function shortened(line: string): string {
  const words = line.replaceAll(/\s+/g, ' ').trim();
  if ([...words].length <= longest) return words;
  const start = [...words].slice(0, longest).join('');
  const end = start.lastIndexOf(' ');
  return `${end < longest / 2 ? start : start.slice(0, end)}…`;
}

/** Titles of conversations by their last shown branch, by conversation id. */
export async function storedTitles(records: RecordStore): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  for await (const found of records.list([record])) {
    const id = found.key.at(-1);
    if ('problem' in found || id === undefined || !isObject(found.value)) continue;
    const { title } = found.value;
    if (typeof title === 'string') titles.set(id, title);
  }
  return titles;
}

/** Stores the title of a conversation, unless it is unchanged. */
export async function storeTitle(records: RecordStore, id: string, title: string): Promise<void> {
  if ((await storedTitles(records)).get(id) !== title) await records.put([record, id], { title });
}

/** Deletes the title of a removed conversation. Default: all of the project. */
export async function forgetTitle(records: RecordStore, id?: string): Promise<void> {
  await records.remove(id === undefined ? [record] : [record, id], { recursive: true });
}
