/** The QuickJS that runs the code: Vercel's build of quickjs-ng, or quickjs-emscripten's of Fabrice Bellard's. */
export type EngineName = 'quickjs-wasi' | 'quickjs-emscripten';

/** How large an instance may become. */
export interface InstanceSize {
  /** How much the code may allocate. */
  readonly memoryBytes: number;
  /** How deep it may call. */
  readonly stackBytes: number;
}

/** What an instance reaches of the host, once it begins. */
export interface InstanceHost {
  /** Asked again and again while code runs: true ends it, and nothing in it can catch that. */
  shouldStop(): boolean;
  /** Characters of a text that are copied out of the guest at a time: those count as none of its memory. */
  readonly longestText: number;
  /** Something the guest says: text of any content, or undefined for one that is longer than that. */
  say(text: string | undefined): void;
  /** Something the guest asks; the answer is text too. Must not throw. */
  ask(text: string | undefined): string;
  /** The source of an ES module; undefined where there is none. */
  moduleSource(path: string): string | undefined;
}

/**
 * One QuickJS with a memory of its own, for one run. Nothing but text goes in and out. A method that throws has left it in
 * a state that nobody knows: it is used no more.
 */
export interface Instance {
  /** Calls the prelude, which has been evaluated already. */
  begin(host: InstanceHost, settings: string): void;
  /** Gives the prelude's `receive` a text, and what that answered. */
  send(text: string): string;
  /** Told of the libraries before the first of them is evaluated. */
  prepare(libraries: readonly SourceFile[]): void;
  /** Evaluates a script in the global scope, and gives the prelude's `accept` what came of it. */
  evaluate(script: SourceFile): void;
  /** Runs what promises have made ready to run. */
  runJobs(): void;
  /** Gives the prelude's `accept` what promises were rejected with that nobody looked at. Not every engine knows. */
  acceptRejections(): void;
  /** How much memory the instance has taken from the machine. */
  memoryBytes(): number;
}

/** A script. */
export interface SourceFile {
  readonly name: string;
  readonly source: string;
}

/** Makes instances with the prelude in them: an expression that gives `(say, ask, settings) => ({ receive, accept })`. */
export interface SandboxEngine {
  readonly name: EngineName;
  create(size: InstanceSize): Promise<Instance>;
}

/** Thrown where the guest's own machinery failed: what QuickJS said of it. */
export class GuestFailure extends Error {
  override readonly name = 'GuestFailure';
}

/** Characters of what `receive` answers: code may have put anything into it, which is not read. */
export const longestAnswer = 500;

/** Characters of the name of a module: files have no longer paths. */
const longestName = 4_096;

/** The path of a module, as one that imports it from `base` names it. Only paths are names: nothing is searched for. */
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

/** What is said of a module that is not there. */
export function noSuchModule(path: string): string {
  const hint = path.startsWith('/') ? '' : ': import a file below /lib by its path, as in import x from "/lib/x.js"';
  return `Cannot find module '${path.slice(0, 200)}'${hint}`;
}
