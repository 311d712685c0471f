import type { Input, Work } from '../work.ts';

/** A way to run the loop, with its tools defined. */
export interface Loop {
  /** Makes a run, and gives its final text. `baseUrl` is where the server is; a scripted model needs none. */
  run(work: Work, baseUrl: string): Promise<string>;
}

/** How a variant is set up: so many tools, each of which reports what it was called with. */
export interface Setup {
  readonly tools: number;
  onCall(input: Input): void;
  /** A scripted model reports each request. */
  onRequest(): void;
}

/** Defines the tools, as an app does when it starts. */
export type Variant = (setup: Setup) => Loop;
