import { isUtensilError } from '../base/errors.ts';
import type { Message } from '../model/message.ts';
import type { EffectHandler } from './loop/drive.ts';
import type { CallBeginning, RunThread } from './run-thread.ts';

/** A message to store. */
export type Appended = Parameters<EffectHandler['append']>[0][number];

/** The last version of each message, at the position of the first. */
export function latestOf(messages: readonly Appended[]): readonly Appended[] {
  return messages.length < 2 ? messages : [...new Map(messages.map((each) => [each.message.id, each])).values()];
}

/** Stores messages, and the beginning of a call, in one commit. Another branch of the thread may have the late result of a call that both have. */
export async function storeIn(
  thread: RunThread,
  messages: readonly Appended[],
  beginning?: CallBeginning,
): Promise<void> {
  try {
    await thread.store(messages, beginning);
  } catch (error) {
    if (!isUtensilError(error, 'entry_exists') || !messages.some(({ message }) => isLate(message))) throw error;
    await thread.store(
      messages.map(({ message }) => ({ message: renamed(message) })),
      beginning,
    );
  }
}

function isLate({ parts }: Message): boolean {
  return parts[0]?.type === 'late-result';
}

function renamed(message: Message): Message {
  return isLate(message) ? { ...message, id: `${message.id}/${message.createdAt}` } : message;
}
