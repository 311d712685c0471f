import type { SourceFile } from './engine.ts';

/** The bytecode of libraries, which most scripts of a host have in common: reading it takes a fifth of the time of compiling them. */
export interface LibraryCache {
  /** Compiles those that have come before. To be called while nothing has run in the instance that could change what comes of it. */
  learn(libraries: readonly SourceFile[], compile: Compile): void;
  /** Undefined for one that is compiled as it comes: it is new, too long, or no script. */
  bytecodeOf(library: SourceFile): Uint8Array | undefined;
}

type Compile = (library: SourceFile) => Uint8Array;

/** Characters of a library that is kept, and bytes of its code. */
const longest = 500_000;

/** Characters and bytes of all that are kept. */
const mostKept = 4_000_000;

/** A cache for one worker. It keeps what came last. */
export function libraryCache(): LibraryCache {
  const known = new Map<string, Uint8Array | 'seen' | 'never'>();
  let kept = 0;

  function learnOne(library: SourceFile, compile: Compile): void {
    const key = keyOf(library);
    const before = known.get(key);
    if (before === undefined && key.length <= longest) keep(key, 'seen');
    else if (before === 'seen') keep(key, compiled(library, compile));
  }

  function keep(key: string, value: Uint8Array | 'seen' | 'never'): void {
    forget(key);
    known.set(key, value);
    kept += key.length + value.length;
    for (const oldest of known.keys()) {
      if (kept <= mostKept) return;
      forget(oldest);
    }
  }

  function forget(key: string): void {
    const value = known.get(key);
    if (value !== undefined) kept -= key.length + value.length;
    known.delete(key);
  }

  return {
    learn(libraries, compile) {
      for (const library of libraries) learnOne(library, compile);
    },
    bytecodeOf(library) {
      const value = known.get(keyOf(library));
      return typeof value === 'string' ? undefined : value;
    },
  };
}

/** No two libraries have the same. */
function keyOf({ name, source }: SourceFile): string {
  return `${name.length}:${name}${source}`;
}

/** Evaluates a library that is no script as it is, so that the error says what is wrong with it. */
function compiled(library: SourceFile, compile: Compile): Uint8Array | 'never' {
  try {
    const bytecode = compile(library);
    return bytecode.length > longest ? 'never' : bytecode;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error; // the instance is broken
    return 'never';
  }
}
