import type { Screen } from './screen.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';

/** Who talks to whom. */
export interface Conversation {
  readonly session: Session;
  readonly terminal: Terminal;
  readonly screen: Screen;
  /** Lays out results on the standard output; `screen` itself if both are one terminal. */
  readonly results: Screen;
}
