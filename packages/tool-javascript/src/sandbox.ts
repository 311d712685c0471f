import { capability } from '@utensil/core';
import type { Capability, Files } from '@utensil/core';

/** What the tool asks a sandbox to run. */
export interface SandboxScript {
  /** The body of an async function in strict mode. */
  readonly code: string;
  /** Run first, in this order, in the global scope. */
  readonly libraries: readonly { readonly name: string; readonly code: string }[];
  /** The sources of ES modules, by absolute path. */
  readonly modules: Readonly<Record<string, string>>;
  /** The files behind `fs`: what the script writes is kept when it succeeds, all at once. */
  readonly files: Files;
  /** Directories whose files the script can read, not change. */
  readonly readOnly: readonly string[];
  /** What the script may call: `{ 'tools.x': … }` is `await tools.x(input)` there. The signal fires when it is over. */
  readonly hostFunctions?: Readonly<Record<string, (input: unknown, signal: AbortSignal) => unknown>>;
  readonly limits: { readonly workMs: number; readonly wallMs: number };
  readonly signal: AbortSignal;
}

/** A line of the console. */
export interface SandboxLine {
  /** Such as `LOG`. */
  readonly level: string;
  readonly text: string;
  /** The library that said it. */
  readonly library?: string;
}

/** What came of a script. */
export interface SandboxOutcome {
  /** `done` where it succeeded. */
  readonly status: string;
  /** The value as text, or what went wrong. */
  readonly text: string;
  readonly console: readonly SandboxLine[];
  /** Lines that did not fit in. */
  readonly consoleDropped: number;
}

/** What the tool needs of a sandbox. `@utensil/sandbox-quickjs` is one. */
export interface JavaScriptSandbox {
  run(script: SandboxScript): Promise<SandboxOutcome>;
}

/** Where the host keeps its sandbox. */
export const sandbox: Capability<JavaScriptSandbox> = /* @__PURE__ */ capability<JavaScriptSandbox>('sandbox');
