import type { Screen } from './screen.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';

/** The parties of a conversation. */
export interface Conversation {
  readonly session: Session;
  readonly terminal: Terminal;
  readonly screen: Screen;
  /** Formats results on the standard output; `screen` itself if both go to one terminal. */
  readonly results: Screen;
}
