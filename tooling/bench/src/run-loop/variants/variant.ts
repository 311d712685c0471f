import type { Input, Work } from '../work.ts';

/** A loop with its tools. */
export interface Loop {
  /** Runs the loop, and returns its final text. `baseUrl` is the server's address; a scripted model needs none. */
  run(work: Work, baseUrl: string): Promise<string>;
}

/** Setup of a variant: the number of tools, and a callback for their calls. */
export interface Setup {
  readonly tools: number;
  onCall(input: Input): void;
  /** Called by a scripted model for each request. */
  onRequest(): void;
}

/** Defines the tools, as an app does at its start. */
export type Variant = (setup: Setup) => Loop;
