import type { Message } from './message.ts';

/** The persisted message history of a conversation. */
export interface Thread {
  readonly id: string;
  /** All messages, oldest first. */
  messages(): Promise<readonly Message[]>;
  /** Stores a message at the end, or in place of an earlier one of the same id. */
  append(message: Message): Promise<void>;
}
