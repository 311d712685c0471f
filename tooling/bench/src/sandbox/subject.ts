/** What scripts may call, as `await host.add(1)`. Each crosses as JSON would. */
export interface HostFunctions {
  add(n: number): number;
  /** A value of about a megabyte. */
  give(): unknown;
}

/** A script: the body of an async function. */
export interface Task {
  readonly code: string;
  /** Run first, in the global scope. */
  readonly libraries?: readonly string[];
}

/** Something that runs scripts, each in a world of its own. */
export interface Subject {
  /** What a script returns, by way of JSON. */
  run(task: Task): Promise<unknown>;
  close(): void | Promise<void>;
}

/** Makes one, with functions of the host. */
export type OpenSubject = (host: HostFunctions) => Subject | Promise<Subject>;

/** Scripts get this long, and this much. All are given the same, where they can be told. */
export const limits = {
  workMs: 120_000,
  wallMs: 240_000,
  memoryBytes: 128 * 1024 * 1024,
  hostCalls: 1_000_000,
} as const;

/** A whole script for those that know no libraries. */
export function joined({ code, libraries = [] }: Task): string {
  return [...libraries, code].join('\n');
}
