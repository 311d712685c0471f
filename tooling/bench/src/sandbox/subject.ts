/** Host function, called by scripts as `await host.add(1)`. Arguments and results are JSON. */
export interface HostFunctions {
  add(n: number): number;
  /** A value of about a megabyte. */
  give(): unknown;
}

/** Body of an async function. */
export interface Task {
  readonly code: string;
  /** Libraries, run first in the global scope. */
  readonly libraries?: readonly string[];
}

/** A sandbox that runs each script in an isolated environment. */
export interface Subject {
  /** Runs a script, and returns its result as JSON. */
  run(task: Task): Promise<unknown>;
  close(): void | Promise<void>;
}

/** Creates a sandbox with host functions. */
export type OpenSubject = (host: HostFunctions) => Subject | Promise<Subject>;

/** Limits on time and memory, the same for all contenders that support limits. */
export const limits = {
  workMs: 120_000,
  wallMs: 240_000,
  memoryBytes: 128 * 1024 * 1024,
  hostCalls: 1_000_000,
} as const;

/** Concatenates a script with its libraries, for contenders without libraries. */
export function joined({ code, libraries = [] }: Task): string {
  return [...libraries, code].join('\n');
}
