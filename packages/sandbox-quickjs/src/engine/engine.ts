/** Engine build: quickjs-ng by Vercel, or Fabrice Bellard's QuickJS by quickjs-emscripten. */
export type EngineName = 'quickjs-wasi' | 'quickjs-emscripten';

/** Size limits of an instance. */
export interface InstanceSize {
  /** Maximum memory for allocations, in bytes. */
  readonly memoryBytes: number;
  /** Maximum stack, in bytes. */
  readonly stackBytes: number;
}

/** Host interface of a running instance. */
export interface InstanceHost {
  /** Polled while code runs. Returning true terminates it, and the code cannot catch that. */
  shouldStop(): boolean;
  /** Maximum characters of a text to copy out of the guest, because such copies are not counted as its memory. */
  readonly longestText: number;
  /** Receives a guest message: any text, or undefined if it is too long. */
  say(text: string | undefined): void;
  /** Answers a synchronous guest request with a text. Must not throw. */
  ask(text: string | undefined): string;
  /** Source of an ES module; undefined if it does not exist. */
  moduleSource(path: string): string | undefined;
}

/**
 * A QuickJS instance with its own memory, for one run. Only text crosses its boundary. After a method throws, the
 * instance is in an undefined state and must be discarded.
 */
export interface Instance {
  /** Calls the prelude, which has already been evaluated. */
  begin(host: InstanceHost, settings: string): void;
  /** Passes a text to the prelude's `receive` and returns its answer. */
  send(text: string): string;
  /** Announces libraries before the first one is evaluated. */
  prepare(libraries: readonly SourceFile[]): void;
  /** Evaluates a script in the global scope and passes the result to the prelude's `accept`. */
  evaluate(script: SourceFile): void;
  /** Runs pending promise jobs. */
  runJobs(): void;
  /** Passes unhandled rejections to the prelude's `accept`, if the engine reports them. */
  acceptRejections(): void;
  /** Memory that the instance occupies, in bytes. */
  memoryBytes(): number;
}

export interface SourceFile {
  readonly name: string;
  readonly source: string;
}

/**
 * Creates instances with the prelude: an expression that evaluates to `(say, ask, settings) => ({ receive, accept })`.
 */
export interface SandboxEngine {
  readonly name: EngineName;
  create(size: InstanceSize): Promise<Instance>;
}

/** Failure of the guest's own machinery, with the message of QuickJS. */
export class GuestFailure extends Error {
  override readonly name = 'GuestFailure';
}

/** Maximum characters of an answer of `receive`; guest code may have replaced it, so a longer one is ignored. */
export const longestAnswer = 500;

/** Maximum characters of a module name, which is also the limit for file paths. */
const longestName = 4_096;

/** Resolves an import relative to `base`. Only paths are valid: there is no search. */
export function resolveModule(base: string, specifier: string): string {
  if (base.length + specifier.length > longestName) return `${specifier.slice(0, 200)}…`;
  if (!/^\.{0,2}\//.test(specifier)) return specifier;
  const names = specifier.startsWith('/') ? [] : base.split('/').slice(0, -1);
  const path: string[] = [];
  for (const name of [...names, ...specifier.split('/')]) {
    if (name === '..') path.pop();
    else if (name !== '' && name !== '.') path.push(name);
  }
  return `/${path.join('/')}`;
}

/** Message for a missing module. */
export function noSuchModule(path: string): string {
  const hint = path.startsWith('/') ? '' : ': import a file below /lib by its path, as in import x from "/lib/x.js"';
  return `Cannot find module '${path.slice(0, 200)}'${hint}`;
}
